"""Small PDFs made by hand: lines of text at places, pages, and what a file says of itself."""


def pdf(pages, about="", encrypt=""):
    """A file of pages, each a list of (x, y, size, text) in points from the lower left corner."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for n, lines in enumerate(pages):
        drawn = "".join(f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n" for x, y, size, text in lines)
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {5 + 2 * n} 0 R>>"
        )
        objects.append(f"<</Length {len(drawn)}>>stream\n{drawn}endstream")
    objects.append(f"<<{about}>>")
    return written(objects, f"/Root 1 0 R/Info {len(objects)} 0 R{encrypt}")


def written(objects, trailer):
    """Numbered objects with their table of places."""
    body, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj{text}endobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}{trailer}>>\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF".encode("latin-1")


def column(texts, x=72, top=760, size=11, step=14):
    """Lines one below the other."""
    return [(x, top - step * n, size, text) for n, text in enumerate(texts)]


LOCKED = (
    "/Encrypt<</Filter/Standard/V 1/R 2/O<" + "28bf4e5e" * 8 + ">/U<" + "5e4e758a" * 8 + ">/P -44>>"
    "/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]"
)
"""A trailer's claim that the file opens with a password nobody knows."""
