"""Git's conflict marks in a file: told as such, and the two sides taken apart.

The marks are those of `git merge` (git-merge documentation, «How conflicts are presented»), with or without the
common ancestor between them.
"""

from __future__ import annotations

from cellwright.records.errors import Place, UnreadableInput

OURS, BASE, THEIRS, END = "<<<<<<< ", "|||||||", "=======", ">>>>>>> "
CAPTURES = ("sources/captures/", "sources/captures.csv")


def refuse_conflict(text: str, file: str) -> None:
    """Raises UnreadableInput where a merge left its marks in the file, with the line of the first."""
    line = _first_mark(text)
    if line:
        raise UnreadableInput(
            "git's conflict marks stand in the file: two sides of a merge are not settled",
            Place(file, line),
            expected="one text",
            fix="`cellwright merge-captures` keeps the captures of both sides"
            if file.startswith(CAPTURES)
            else "decide which lines stay, delete the lines with the marks, and `git add` the file",
        )


def sides(text: str, file: str) -> tuple[str, str] | None:
    """Our text and theirs; None where there are no marks. Raises UnreadableInput where the marks are not whole."""
    if not _first_mark(text):
        return None
    ours: list[str] = []
    theirs: list[str] = []
    place = ""
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        mark = _mark(line, place)
        if mark == "broken":
            raise UnreadableInput(
                "git's conflict marks in the file are not whole",
                Place(file, number),
                seen=line.strip(),
                fix="`git checkout --merge -- FILE` writes them anew",
            )
        if mark:
            place = "" if mark == END else mark
        elif place == "":
            ours.append(line)
            theirs.append(line)
        elif place != BASE:
            (ours if place == OURS else theirs).append(line)
    if place:
        raise UnreadableInput(
            "git's conflict marks in the file are not whole",
            Place(file),
            expected=f"a line that begins with `{END}`",
            fix="`git checkout --merge -- FILE` writes them anew",
        )
    return "".join(ours), "".join(theirs)


def _mark(line: str, place: str) -> str:
    """The mark that a line is, after the part `place`; "broken" where it cannot follow, "" where it is none."""
    if line.startswith(OURS):
        return OURS if place == "" else "broken"
    if line.startswith(BASE) and place == OURS:
        return BASE
    if line.rstrip("\r\n") == THEIRS and place in (OURS, BASE):
        return THEIRS
    if line.startswith(END):
        return END if place == THEIRS else "broken"
    return ""


def _first_mark(text: str) -> int:
    """The line of the first mark, from 1; 0 where the file is none of a merge's."""
    if OURS not in text or END not in text:
        return 0
    lines = text.splitlines()
    begins = [number for number, line in enumerate(lines, start=1) if line.startswith(OURS)]
    return begins[0] if begins and any(line.startswith(END) for line in lines) else 0
