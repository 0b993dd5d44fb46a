import json
import subprocess
import sys

from tests.converters.pdfs import column, pdf
from verbena.converters import pdfium

FILE = pdf([column([f"Line {n}."]) for n in range(3)])


def test_out_of_time_before_the_first_page_it_has_failed():
    assert pdfium.read(FILE, pages=10, seconds=-1.0, characters=1000) == {"failure": "broken"}


def test_it_reads_no_more_characters_than_it_may():
    told = pdfium.read(FILE, pages=10, seconds=9.0, characters=10)

    assert told["text"] == [["Line 0."], ["Line 1."]]
    assert told["truncated"] is True


def test_a_file_beyond_the_memory_of_its_process_ends_that_process():
    large = pdf([column(["The ferry timetable."] * 100_000, step=0)])
    code = "import sys; from verbena.converters import pdfium; pdfium.main()"
    arguments = [json.dumps(sys.path), "10", "9", str(96 * 2**20), "1000"]

    ran = subprocess.run([sys.executable, "-c", code, *arguments], input=large, capture_output=True)

    assert ran.returncode < 0
