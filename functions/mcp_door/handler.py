"""Lambda entry of MCP."""

from verbena.doors import mcp_http, rest

handler = rest.service_handler(mcp_http.OPERATIONS)
