"""Colours, the style sheet and tinted icons, for light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from swarm_app.gui.files import resource


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as ``#rrggbb``. Text on its ground has a contrast of at least 4.5 : 1."""

    dark: bool
    ground: str
    side: str
    raised: str
    line: str
    text: str
    dim: str
    accent: str
    on_accent: str
    tint: str
    """Behind the user's own words and what is chosen."""
    code: str
    warn: str
    bad: str
    good: str
    spans: tuple[str, ...]
    """Of the peers in the strip of blocks."""
    syntax: dict[str, str]


LIGHT = Theme(
    dark=False,
    ground="#ffffff",
    side="#f5f4f1",
    raised="#ffffff",
    line="#dedcd6",
    text="#22262a",
    dim="#646b73",
    accent="#0b6e63",
    on_accent="#ffffff",
    tint="#e4f0ed",
    code="#f6f6f3",
    warn="#8a5a00",
    bad="#b3261e",
    good="#2c7a3f",
    spans=("#2a8f82", "#c9772b", "#5b7bc0", "#a0568f", "#6f8f2f", "#b5524c", "#4a8ea8", "#8a7048"),
    syntax={
        "comment": "#626b75",
        "keyword": "#9a2a6e",
        "string": "#0b6e4f",
        "number": "#9c5700",
        "name": "#24509c",
        "type": "#6a4aa5",
    },
)
DARK = Theme(
    dark=True,
    ground="#1c1e20",
    side="#151718",
    raised="#232628",
    line="#363a3e",
    text="#e6e4e0",
    dim="#a0a6ad",
    accent="#5cc7b5",
    on_accent="#0a2622",
    tint="#21383a",
    code="#141617",
    warn="#e5b567",
    bad="#ff8f87",
    good="#7fcf8f",
    spans=("#4fb8a8", "#e09a58", "#86a3e3", "#cf86bf", "#a3c45c", "#e08a84", "#74bcd6", "#c0a578"),
    syntax={
        "comment": "#8b949e",
        "keyword": "#f08fc0",
        "string": "#8fd6a8",
        "number": "#f0b072",
        "name": "#8fb8ff",
        "type": "#c3a6ff",
    },
)


def current() -> Theme:
    """The theme that the application has now."""
    return DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def wanted() -> Theme:
    """What the system asks for."""
    return DARK if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def apply(app: QApplication, theme: Theme) -> None:
    app.setPalette(_palette(theme))
    app.setStyleSheet(_sheet(theme))
    icon.cache_clear()


def mono(points: float = 0) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(points or QGuiApplication.font().pointSizeF() * 0.95)
    return font


@lru_cache(maxsize=256)
def icon(name: str, color: str = "") -> QIcon:
    """An icon of ``resources/icons`` in a colour of the theme ("" for the dim text's)."""
    from PySide6.QtSvg import QSvgRenderer

    theme = current()
    drawing = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    made = QIcon()
    for mode, tint in (
        (QIcon.Mode.Normal, color or theme.dim),
        (QIcon.Mode.Active, color or theme.text),
        (QIcon.Mode.Disabled, theme.dim if color else theme.line),
    ):
        renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", tint).encode("utf-8")))
        for ratio in (1, 2, 3):
            pixmap = QPixmap(QSize(20 * ratio, 20 * ratio))
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, 20 * ratio, 20 * ratio))
            painter.end()
            pixmap.setDevicePixelRatio(ratio)
            made.addPixmap(pixmap, mode)
    return made


def set_role(widget: QWidget, role: str) -> None:
    """What the style sheet knows a widget as."""
    widget.setProperty("role", role)
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: theme.ground,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.raised,
        QPalette.ColorRole.AlternateBase: theme.side,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.bad,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.LinkVisited: theme.accent,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.dim,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.line,
        QPalette.ColorRole.Accent: theme.accent,
    }
    for role, color in roles.items():
        palette.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.dim))
    return palette


def _sheet(t: Theme) -> str:
    down, up = (resource("icons", f"{way}.svg").as_posix() for way in ("down", "up"))
    check = resource("icons", f"check-{'dark' if t.dark else 'light'}.svg").as_posix()
    return f"""
QComboBox::down-arrow {{ image: url("{down}"); width: 14px; height: 14px; }}
QAbstractSpinBox {{ padding-right: 22px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
    subcontrol-origin: border; width: 20px; border: none; background: transparent; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; margin: 2px 2px 0 0; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; margin: 0 2px 2px 0; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {t.tint}; }}
QAbstractSpinBox::up-arrow {{ image: url("{up}"); width: 11px; height: 11px; }}
QAbstractSpinBox::down-arrow {{ image: url("{down}"); width: 11px; height: 11px; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QCheckBox {{ spacing: 8px; }}
QCheckBox::indicator {{ width: 16px; height: 16px; border: 1px solid {t.dim}; border-radius: 4px; }}
QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent}; image: url("{check}"); }}
QCheckBox::indicator:disabled {{ border-color: {t.line}; }}
QCheckBox:focus {{ color: {t.accent}; }}
QToolTip {{ color: {t.text}; background: {t.raised}; border: 1px solid {t.line}; padding: 4px 6px; }}
#side {{ background: {t.side}; border-right: 1px solid {t.line}; }}
QListView#chats, QListWidget#sections {{ background: transparent; border: none; outline: none; }}
QLabel[role="title"] {{ font-weight: 600; font-size: 11pt; }}
QLabel[role="heading"] {{ font-weight: 600; font-size: 17pt; }}
QLabel[role="section"] {{ font-weight: 600; }}
QLabel[role="dim"], QCheckBox[role="dim"] {{ color: {t.dim}; }}
QLabel[role="bad"] {{ color: {t.bad}; }}
QLabel[role="warn"] {{ color: {t.warn}; }}
QFrame[role="card"] {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame[role="notice"] {{ background: {t.tint}; border: none; border-bottom: 1px solid {t.line}; }}
QFrame[role="composer"] {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 14px; }}
QFrame[role="composer"][focused="true"] {{ border: 1px solid {t.accent}; }}
QFrame[role="code"] {{ background: {t.code}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[role="rule"] {{ background: {t.line}; border: none; max-height: 1px; min-height: 1px; }}
QPlainTextEdit[role="bare"], QTextBrowser[role="bare"] {{
    background: transparent; border: none; padding: 0; }}
QTextBrowser[role="bare"]:focus {{ background: transparent; border-left: 2px solid {t.accent}; }}
QPlainTextEdit[role="code"] {{ background: transparent; border: none; padding: 0; }}
QPlainTextEdit[role="code"]:focus {{ border-left: 2px solid {t.accent}; }}
QLineEdit, QPlainTextEdit[role="field"], QSpinBox, QDoubleSpinBox, QComboBox {{
    background: {t.raised}; border: 1px solid {t.line}; border-radius: 7px; padding: 5px 8px; }}
QLineEdit:focus, QPlainTextEdit[role="field"]:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
    border: 1px solid {t.accent}; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QPushButton {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 7px; padding: 6px 14px; }}
QPushButton:hover {{ border-color: {t.dim}; }}
QPushButton:pressed {{ background: {t.tint}; }}
QPushButton:disabled {{ color: {t.dim}; }}
QPushButton:focus, QToolButton:focus {{ border: 2px solid {t.accent}; }}
QPushButton[role="main"] {{
    background: {t.accent}; color: {t.on_accent}; border-color: {t.accent}; font-weight: 600; }}
QPushButton[role="main"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[role="main"]:disabled {{ background: {t.line}; border-color: {t.line}; color: {t.dim}; }}
QPushButton[role="danger"] {{ color: {t.bad}; }}
QPushButton[role="door"] {{ text-align: left; padding: 0; border-radius: 12px; }}
QPushButton[role="door"]:hover {{ border-color: {t.accent}; background: {t.tint}; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 3px; }}
QToolButton:hover {{ background: {t.tint}; }}
QToolButton:checked {{ background: {t.tint}; }}
QToolButton:focus {{ border: 1px solid {t.accent}; }}
QToolButton[role="quiet"] {{ color: {t.dim}; font-size: 9pt; padding: 2px 4px; }}
QToolButton[role="quiet"]:hover {{ color: {t.text}; }}
QPushButton[role="foot"] {{
    color: {t.dim}; font-size: 9pt; padding: 3px 0; border: none;
    text-align: left; background: transparent; }}
QPushButton[role="foot"]:hover:enabled {{ color: {t.text}; text-decoration: underline; }}
QPushButton[role="foot"]:focus {{ border: none; color: {t.accent}; text-decoration: underline; }}
QToolButton[role="chip"] {{ background: {t.tint}; border: 1px solid {t.line}; padding: 4px 8px; }}
QToolButton[role="nav"] {{ text-align: left; padding: 6px 8px; }}
QToolButton[role="send"] {{ background: {t.accent}; border-radius: 15px; }}
QToolButton[role="send"]:disabled {{ background: {t.line}; }}
QToolButton[role="send"]:focus {{ border: 2px solid {t.text}; }}
QToolButton::menu-indicator {{ image: none; }}
QProgressBar {{ background: {t.line}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QProgressBar[over="true"]::chunk {{ background: {t.bad}; }}
QMenu {{ background: {t.raised}; border: 1px solid {t.line}; padding: 4px; }}
QMenu::item {{ padding: 5px 22px 5px 12px; border-radius: 5px; }}
QMenu::item:selected {{ background: {t.tint}; color: {t.text}; }}
QMenu::item:disabled {{ color: {t.dim}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 6px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {t.line}; border-radius: 4px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {t.dim}; }}
QScrollBar::handle:vertical {{ min-height: 30px; }}
QScrollBar::handle:horizontal {{ min-width: 30px; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: none; border: none; height: 0; width: 0; }}
QScrollArea, QAbstractScrollArea[role="transcript"] {{ background: transparent; border: none; }}
QTableWidget {{
    background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; gridline-color: {t.line}; }}
QHeaderView::section {{ background: {t.side}; color: {t.dim}; border: none; padding: 5px 8px; }}
"""
