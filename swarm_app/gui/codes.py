"""QR codes of invitations: drawn for a camera, and read from a picture."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage, QPixmap

QR_SCALE = 5
"""Pixels for each square."""

MAX_SIDE = 4000
"""Pixels; larger pictures are made smaller first. A photo of a phone has about as many."""


def qr_code(text: str) -> QPixmap:
    """Dark on light with its quiet zone, whatever the theme: cameras want it so."""
    import segno

    rows = [list(row) for row in segno.make(text, error="m").matrix_iter(scale=1, border=4)]
    image = QImage(len(rows), len(rows), QImage.Format.Format_RGB32)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            image.setPixelColor(x, y, QColor("black" if dark else "white"))
    side = len(rows) * QR_SCALE
    return QPixmap.fromImage(image.scaled(side, side))


def read_qr(image: QImage) -> str:
    """The text of the first QR code in a picture, or ""."""
    import zxingcpp

    if image.isNull():
        return ""
    if max(image.width(), image.height()) > MAX_SIDE:
        from PySide6.QtCore import Qt

        image = image.scaled(MAX_SIDE, MAX_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    # A row may end in bytes of padding: they are read as a few columns more.
    pixels = memoryview(bytes(grey.constBits())).cast("B", (grey.height(), grey.bytesPerLine()))
    found = zxingcpp.read_barcodes(pixels, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    return str(found[0].text) if found else ""
