"""The language of source code, by its media type or the name of its file."""

import re
from typing import Final
from urllib.parse import urlsplit

_TYPES: Final = {
    "application/ecmascript": "javascript",
    "application/graphql": "graphql",
    "application/javascript": "javascript",
    "application/sql": "sql",
    "application/toml": "toml",
    "application/typescript": "typescript",
    "application/x-httpd-php": "php",
    "application/x-javascript": "javascript",
    "application/x-perl": "perl",
    "application/x-python": "python",
    "application/x-ruby": "ruby",
    "application/x-sh": "bash",
    "application/x-yaml": "yaml",
    "application/yaml": "yaml",
    "text/css": "css",
    "text/ecmascript": "javascript",
    "text/javascript": "javascript",
    "text/x-c": "c",
    "text/x-c++": "cpp",
    "text/x-c++src": "cpp",
    "text/x-chdr": "c",
    "text/x-csrc": "c",
    "text/x-diff": "diff",
    "text/x-go": "go",
    "text/x-java": "java",
    "text/x-java-source": "java",
    "text/x-lua": "lua",
    "text/x-patch": "diff",
    "text/x-perl": "perl",
    "text/x-python": "python",
    "text/x-ruby": "ruby",
    "text/x-rust": "rust",
    "text/x-script.python": "python",
    "text/x-sh": "bash",
    "text/x-shellscript": "bash",
    "text/x-sql": "sql",
    "text/x-yaml": "yaml",
    "text/yaml": "yaml",
}
# Without .php and .pl: what answers under such a name is what the program wrote.
_SUFFIXES: Final = {
    "bash": "bash",
    "c": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "cs": "csharp",
    "css": "css",
    "diff": "diff",
    "go": "go",
    "h": "c",
    "hpp": "cpp",
    "java": "java",
    "js": "javascript",
    "jsx": "jsx",
    "kt": "kotlin",
    "lua": "lua",
    "mjs": "javascript",
    "patch": "diff",
    "ps1": "powershell",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "scala": "scala",
    "sh": "bash",
    "sql": "sql",
    "swift": "swift",
    "tf": "hcl",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "tsx",
    "yaml": "yaml",
    "yml": "yaml",
}
_SUFFIX = re.compile(r"\.([a-z0-9]{1,8})$")


def is_code(media_type: str, url: str) -> bool:
    """Whether a text is source code."""
    return bool(language_of(media_type, url))


def language_of(media_type: str, url: str) -> str:
    """Its language as fences name it; empty for what is no code."""
    if media_type in _TYPES:
        return _TYPES[media_type]
    suffix = _SUFFIX.search(urlsplit(url).path.lower())
    return _SUFFIXES.get(suffix[1], "") if suffix else ""
