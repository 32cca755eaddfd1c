"""Reads the public header: constants, enums, structs, function types and functions, with their comments.

The header is plain: one declaration after the other, ended by a semicolon, without macros inside.
What is not understood is an error that shows the text, so that nothing is left out silently.
"""

import re
from dataclasses import dataclass, field


@dataclass
class Type:
    base: str  # "double", "pliant_world", "fn" for a function pointer written in place
    stars: int = 0
    const: bool = False  # what it points to
    dims: list = field(default_factory=list)
    function: object = None  # of base "fn": a Function without a name


@dataclass
class Member:
    type: Type
    name: str
    doc: str = ""


@dataclass
class Function:
    name: str
    result: Type
    params: list
    doc: str = ""


@dataclass
class Struct:
    name: str
    members: list
    doc: str = ""


@dataclass
class Enum:
    name: str
    values: list  # (name, number, doc)
    doc: str = ""


@dataclass
class Header:
    constants: dict
    opaque: dict  # name: doc
    enums: list
    structs: list
    function_types: list
    functions: list


def clean(comment):
    """The text of comment lines, without their marks; blank comment lines part paragraphs."""
    lines = [re.sub(r"^\s*// ?", "", line).rstrip() for line in comment]
    return "\n".join(lines).strip("\n")


def split_comments(line):
    code, mark, comment = line.partition("//")
    return code.rstrip(), comment.strip() if mark else None


def parse_type(words):
    """"const pliant_mesh*" and the like, without a name."""
    words = words.replace("*", " * ").split()
    const = "const" in words and "*" in words
    stars = words.count("*")
    base = [w for w in words if w not in ("const", "*", "struct", "enum")]
    if len(base) != 1:
        raise ValueError(f"not a type: {' '.join(words)}")
    return Type(base[0], stars, const)


def split_outside(text, mark):
    """Parts between marks that are in no parentheses."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == mark and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [p.strip() for p in parts + [text[last:]] if p.strip()]


def parse_declarators(text):
    """"double min[3], max[3]" or "void *rows, *velocities": members of one line."""
    pointer = re.fullmatch(r"(.+?)\(\s*\*\s*(\w+)\)\s*\((.*)\)", text, re.S)
    if pointer:
        result, name, params = pointer.groups()
        function = Function("", parse_type(result), parse_params(params))
        return [Member(Type("fn", function=function), name)]
    first, *others = split_outside(text, ",")
    match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[[^\]]*\])*)", first, re.S)
    if not match:
        raise ValueError(f"not a declaration: {text}")
    words, name, dims = match.groups()
    members = [Member(parse_type(words), name)]
    members[0].type.dims = re.findall(r"\[([^\]]*)\]", dims)
    for other in others:
        stars, name, dims = re.fullmatch(r"([\s*]*)(\w+)((?:\[[^\]]*\])*)", other).groups()
        made = parse_type(words.replace("*", "") + "*" * stars.count("*"))
        made.dims = re.findall(r"\[([^\]]*)\]", dims)
        members.append(Member(made, name))
    return members


def parse_params(text):
    if text.strip() in ("", "void"):
        return []
    return [parse_declarators(p)[0] for p in split_outside(text, ",")]


def parse_function(text, doc=""):
    match = re.fullmatch(r"(.+?)(\w+)\s*\((.*)\)", text.strip(), re.S)
    result, name, params = match.groups()
    return Function(name, parse_type(result), parse_params(params), doc)


def parse_members(body):
    """Members with the comments before, beside and, indented, below them."""
    members, before, pending, last = [], [], "", []
    for line in body.split("\n"):
        code, comment = split_comments(line)
        if code.strip():
            pending += " " + code.strip()
            beside = [comment] if comment is not None else []
            if pending.endswith(";"):
                last = [m for part in split_outside(pending, ";") for m in parse_declarators(part)]
                for m in last:
                    m.doc = clean(before + beside)
                members += last
                before, pending = [], ""
            else:
                before += beside
        elif comment is not None:
            # A comment far to the right goes on beside the member above.
            if len(line) - len(line.lstrip()) > 8 and last:
                for m in last:
                    m.doc = (m.doc + "\n" + comment).strip()
            else:
                before.append(comment)
                last = []
    return members


def parse_values(body):
    values, number, doc = [], 0, []
    entries, beside = [], None
    text = ""
    for line in body.split("\n"):
        code, comment = split_comments(line)
        indent = len(line) - len(line.lstrip())
        if code.strip():
            text += " " + code.strip()
            while True:
                match = re.match(r"\s*(\w+)\s*(?:=\s*([\w<\s]+?))?\s*(,|$)", text)
                if not match or (not match.group(3) and "=" in text and match.group(2) is None):
                    break
                if text.rstrip().endswith("="):
                    break
                entries.append([match.group(1), match.group(2), doc])
                beside, doc = entries[-1], []
                text = text[match.end():]
                if not text.strip():
                    break
            if comment is not None:
                if beside is not None and not text.strip():
                    beside[2] = beside[2] + [comment]
                else:
                    doc.append(comment)
        elif comment is not None:
            if indent > 8 and beside is not None:
                beside[2] = beside[2] + [comment]
            else:
                doc.append(comment)
                beside = None
    if text.strip():
        raise ValueError(f"not a list of values: {text}")
    for name, given, comment in entries:
        number = eval(given, {}, {v[0]: v[1] for v in values}) if given else number
        values.append((name, number, clean(comment)))
        number += 1
    return values


def statements(text):
    """Declarations at the top level with the comment before each: (code, body or None, doc)."""
    comment, code, depth, lines = [], [], 0, text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        bare, beside = split_comments(line)
        if not code and not bare.strip():
            if beside is None:
                comment = []
            elif re.match(r"-{4}", beside):
                comment = []
            else:
                comment.append(re.sub(r"^\s*// ?", "", line))
            continue
        if not code and bare.lstrip().startswith("#"):
            while bare.endswith("\\"):
                bare = lines[at]
                at += 1
            comment = []
            continue
        code.append(line)
        depth += bare.count("{") - bare.count("}")
        if depth == 0 and (bare.endswith(";") or bare.endswith("}") and "static inline" in code[0]):
            # A function's trailing comment may go on in lines far to the right.
            yield code, comment
            code, comment = [], []
    if "".join(code).strip():
        raise ValueError("a declaration without an end: " + "\n".join(code))


def parse(text):
    found = Header({}, {}, [], [], [], [])
    for name, value in re.findall(r"^#define (PLIANT_VERSION\w*) (\d+)$", text, re.M):
        found.constants[name] = int(value)
    text = re.sub(r'^extern "C" \{$|^\}$(?=\s*#endif)', "", text, flags=re.M)
    for code, comment in statements(text):
        first = code[0].strip()
        doc = clean(["// " + c for c in comment])
        if first.startswith("static inline"):
            continue
        whole = "\n".join(code)
        body = re.search(r"\{\n?(.*)\}\s*\w+;$", whole, re.S) or re.search(r"\{(.*)\}", whole, re.S)
        bare = " ".join(split_comments(line)[0].strip() for line in code)
        beside = [c for c in (split_comments(line)[1] for line in code) if c is not None]
        if first.startswith("typedef enum"):
            found.enums.append(Enum(re.search(r"(\w+);\s*$", bare).group(1), parse_values(body.group(1)), doc))
        elif first.startswith("typedef struct") and body:
            name = re.search(r"(\w+);\s*$", bare).group(1)
            found.structs.append(Struct(name, parse_members(body.group(1)), doc))
        elif first.startswith("typedef struct"):
            found.opaque[re.search(r"(\w+);", bare).group(1)] = doc
        elif first.startswith("typedef"):
            found.function_types.append(parse_function(bare[len("typedef"):].rstrip("; "), doc))
        elif first.startswith("PLIANT_API"):
            words = bare[len("PLIANT_API"):].rstrip("; ")
            found.functions.append(parse_function(words, "\n".join(filter(None, [doc] + beside))))
        else:
            raise ValueError(f"not understood: {whole}")
    return found
