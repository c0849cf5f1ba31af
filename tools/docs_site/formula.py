"""Formulas of the docs as MathML. They are written as plain text, which is read on a code host and in a terminal as well: blocks without
a language, one of whose lines ends in the number of an equation, such as

    m δ̈ = −K δⁿ (1 + A δ̇/v0)        (1)

A solidus divides what touches it, blanks multiply, letters and digits behind a letter are its index, words are words."""
import html
import re
import unicodedata

NUMBER = re.compile(r" {2,}\((\d+[a-z]?)\)$")
LABEL = re.compile(r"([a-z]\w{2,}) {2,}(?=\S)")                  # the name of a law before its formula
BLOCK = re.compile(r"^ {0,3}```([^\n`]*)\n(.*?)^ {0,3}```$", re.M | re.S)
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", "0123456789+−nT"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+−n"))
DOTS = {"\u0307": "˙", "\u0308": "¨"}
FUNCTIONS = {"ln", "exp", "acos", "max", "min", "diag", "sat", "sin", "cos", "tan", "sign", "log"}
SHORT_WORDS = {"at", "if", "of", "so", "by", "is", "to", "in", "no"}
OPENING, CLOSING = "([{", ")]}"
TOKEN = re.compile(r"""(?P<space>\ +)|(?P<number>\d+(?:\.\d+)?|[½¼¾])|(?P<word>[A-Za-z]{3,}(?:[-_][A-Za-z]+)*|[A-Za-z]+-[a-z]+)
    |(?P<name>[^\W\d_])|(?P<other>.)""", re.X)


class NoFormula(Exception):
    """The text is something else."""


def row(parts):
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def text(words):
    return f"<mtext>{html.escape(words)}</mtext>"


class Line:
    """A line of formulas, read from left to right."""

    def __init__(self, source):
        self.source = unicodedata.normalize("NFD", source)
        self.at = 0

    def peek(self):
        return self.source[self.at:self.at + 1]

    def take(self, characters):
        """The characters of a set that come next."""
        begin = self.at
        while self.peek() and self.peek() in characters:
            self.at += 1
        return self.source[begin:self.at]

    def everything(self):
        return "".join(self.sequence(""))

    def sequence(self, end):
        """What stands up to a closing bracket, as a list of elements."""
        out = []
        while self.peek() and self.peek() != end:
            if self.peek() in CLOSING:
                raise NoFormula(self.source)
            out.append(self.quotient())
        if end and not self.peek():
            raise NoFormula(self.source)
        return out

    def quotient(self):
        """A factor, or what a solidus divides."""
        whole, inner = self.factor()
        while self.peek() == "/" and inner:
            self.at += 1
            below, inner_below = self.factor()
            if not inner_below:
                raise NoFormula(self.source)
            whole = inner = f"<mfrac>{inner}{inner_below}</mfrac>"
        return whole

    def factor(self):
        """An element, and the same without its brackets, as the part of a fraction; None: it is no part of one."""
        token = TOKEN.match(self.source, self.at)
        kind, value = token.lastgroup, token.group()
        self.at = token.end()
        if kind == "space":
            return (f'<mspace width="{1.6 if len(value) > 1 else 0.22}em"/>', None)
        if kind == "number":
            whole, inner = self.scripted(f"<mn>{value}</mn>")
            if value.isdigit() and self.peek().isalpha() and self.peek() not in RAISED:
                # 2E divides as one
                self.at += 1
                whole = inner = row([whole, self.name(self.source[self.at - 1])[0]])
            return whole, inner
        if kind == "word" and value in FUNCTIONS:
            return self.applied(f"<mi>{value}</mi>")
        if kind == "word":
            return self.word(value)
        if kind == "name":
            return self.name(value)
        return self.symbol(value)

    def word(self, value):
        """A word, or a differential or product of letters such as dδ and Fe."""
        if re.fullmatch(r"[A-Z][a-z]?[a-z]?", value) or "_" in value and len(value.split("_")[0]) == 1:
            self.at -= len(value) - 1
            return self.name(value[0])
        return text(value), text(value)

    def name(self, letter):
        """A letter with its dots, index, primes and powers."""
        pair = letter + self.peek()
        if pair in SHORT_WORDS and not self.source[self.at + 1:self.at + 2].isalnum():
            self.at += 1
            return text(pair), text(pair)
        if pair in FUNCTIONS:
            self.at += 1
            return self.applied(f"<mi>{pair}</mi>")
        following = self.peek()
        if letter in "d∂" and following.isalpha() and following not in RAISED and following not in LOWERED:
            self.at += 1
            whole, inner = self.name(following)
            return row([f"<mi>{letter}</mi>", whole]), row([f"<mi>{letter}</mi>", inner])
        base = f"<mi>{letter}</mi>"
        if self.peek() and self.peek() in DOTS:
            base = f'<mover accent="true">{base}<mo>{DOTS[self.peek()]}</mo></mover>'
            self.at += 1
        index = self.index()
        if index:
            base = f"<msub>{base}{index}</msub>"
        return self.applied(base)

    def index(self):
        if self.peek() == "_":
            self.at += 1
            found = re.compile(r"\w[\w]*").match(self.source, self.at)
            if not found:
                raise NoFormula(self.source)
            self.at = found.end()
            value = found.group()
            return f"<mi>{value}</mi>"
        lowered = self.take("".join(LOWERED))
        if lowered:
            return f"<mn>{''.join(LOWERED[c] for c in lowered)}</mn>"
        found = re.compile(r"[a-z]{1,2}(?![\w])|\d+").match(self.source, self.at)
        if not found:
            return ""
        self.at = found.end()
        return f"<mi>{found.group()}</mi>" if found.group().isalpha() else f"<mn>{found.group()}</mn>"

    def scripted(self, base):
        """Primes and powers behind an element."""
        primes = self.take("′″‴'").replace("''", "″").replace("'", "′")
        stars = self.take("*")
        power = "".join(RAISED[c] for c in self.take("".join(RAISED)))
        parts = [f"<mo>{c}</mo>" for c in primes + stars]
        parts += [f"<mn>{power}</mn>" if power.lstrip("−").isdigit() else f"<mi>{power}</mi>"] if power else []
        if self.peek() == "^":
            self.at += 1
            parts.append(self.group() if self.peek() == "{" else self.factor()[1])
        whole = f"<msup>{base}{row(parts)}</msup>" if parts else base
        return whole, whole

    def group(self):
        """What braces hold together, without them."""
        self.at += 1
        inner = self.sequence("}")
        self.at += 1
        return row(inner)

    def applied(self, base):
        """An element with powers, and with an argument that touches it."""
        whole, _ = self.scripted(base)
        if self.peek() == "(":
            argument, _ = self.bracketed()
            whole = row([whole, argument])
        return whole, whole

    def bracketed(self):
        opening = self.peek()
        closing = CLOSING[OPENING.index(opening)]
        self.at += 1
        inner = self.sequence(closing)
        self.at += 1
        base = f'<mrow><mo>{opening}</mo>{"".join(inner)}<mo>{closing}</mo></mrow>'
        whole, _ = self.scripted(base)
        return whole, (row(inner) if whole == base else whole)

    def symbol(self, value):
        if value in OPENING:
            self.at -= 1
            return self.bracketed()
        if value == "√":
            whole, inner = self.factor()
            if not inner:
                raise NoFormula(self.source)
            return (f"<msqrt>{inner}</msqrt>",) * 2
        if value in "∂":
            return self.name(value)
        if value == "|":
            inner = self.sequence("|")
            self.at += 1
            return self.scripted(f'<mrow><mo>|</mo>{"".join(inner)}<mo>|</mo></mrow>')
        if value in "=<>≤≥≈~⇒→+−-±·×∫∑∞≪≫⟂∈,;:…?!%":
            return f"<mo>{html.escape(value.replace('-', '−'))}</mo>", None
        raise NoFormula(self.source)


def rows_of(block):
    """The lines of a block as rows of a table, formula and number."""
    out = []
    lines = block.rstrip("\n").split("\n")
    labelled = any(LABEL.match(line) for line in lines)
    for line in lines:
        found = NUMBER.search(line)
        number = found.group(1) if found else ""
        source = (line[:found.start()] if found else line).rstrip()
        label = LABEL.match(source)
        source = source[label.end():] if label else source.strip()
        name = f"<mtd>{text(label.group(1)) if label else ''}</mtd>" if labelled else ""
        number = f'<mtd class="number">{text(f"({number})") if number else ""}</mtd>'
        out.append(f'<mtr>{name}<mtd class="whole">{Line(source).everything()}</mtd>{number}</mtr>')
    return out


def of_block(match):
    language, block = match.groups()
    if language or not any(NUMBER.search(line) for line in block.split("\n")):
        return match.group(0)
    try:
        rows = "".join(rows_of(block))
    except NoFormula:
        return match.group(0)
    return f'<div class="formula"><math display="block"><mtable displaystyle="true">{rows}</mtable></math></div>'


def typeset(markdown):
    """A page with its formulas as MathML."""
    return BLOCK.sub(of_block, markdown)
