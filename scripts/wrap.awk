# wrap.awk FILE.md: the page with its text wrapped to 110 columns. A paragraph or list item in which no line is
# wider stays as it is. Tables, code, headings and single wide words stay, too.
BEGIN { WIDTH = 110; count = 0; wide = 0; fenced = 0; listed = 0; blank = 1 }

# Words that no line may be broken inside of: code and formulas.
function split_words(text, word,    n, at, c, span, current) {
    n = 0; span = ""; current = ""
    for (at = 1; at <= length(text); ++at) {
        c = substr(text, at, 1)
        if (c == " " && span == "") {
            if (current != "") word[++n] = current
            current = ""
            continue
        }
        if (c == "`" || c == "$") span = span == c ? "" : span == "" ? c : span
        current = current c
    }
    if (current != "") word[++n] = current
    return n
}

# At the start of a line these would begin a list, a heading, a quotation or a table.
function is_mark(word) { return word ~ /^([-+*>|#]+|[0-9]+[.)]|=+)$/ }

function print_wrapped(text, first, rest,    word, n, i, line, next_word) {
    n = split_words(text, word)
    line = first word[1]
    for (i = 2; i <= n; ++i) {
        next_word = word[i]
        while (i < n && is_mark(word[i + 1])) next_word = next_word " " word[++i]
        if (length(line) + 1 + length(next_word) <= WIDTH) line = line " " next_word
        else {
            print line
            line = rest next_word
        }
    }
    print line
}

# The lines of a paragraph so far.
function flush(    i, text, first, rest) {
    if (count && !wide) for (i = 1; i <= count; ++i) print line_of[i]
    else if (count) {
        match(line_of[1], /^ *(([-*]|[0-9]+\.) +)?/)
        first = substr(line_of[1], 1, RLENGTH)
        rest = first
        gsub(/[^ ]/, " ", rest)
        text = substr(line_of[1], RLENGTH + 1)
        for (i = 2; i <= count; ++i) {
            sub(/^ +/, "", line_of[i])
            text = text " " line_of[i]
        }
        print_wrapped(text, first, rest)
    }
    count = 0
    wide = 0
}

function stands_alone() {
    return /^ *$/ || /^ *\|/ || /^#/ || /^<!--/ || /^ *!\[[^]]*\]\([^)]*\)$/ || (/^    / && blank && !listed)
}

/^ *```/ { flush(); fenced = !fenced; print; blank = 0; next }
fenced { print; next }
stands_alone() {
    flush()
    if (/^[^ ]/) listed = 0
    print
    blank = /^ *$/ || /^    /
    next
}
{
    if (/^ *([-*]|[0-9]+\.) /) { flush(); listed = 1 }
    else if (/^[^ ]/ && blank) listed = 0
    line_of[++count] = $0
    if (length($0) > WIDTH) wide = 1
    blank = 0
}
END { flush() }
