#!/bin/sh
# Replaces `phmmer` and `hmmsearch` of HMMER: accepts their arguments, reads a query and targets,
# and writes the same files.
#
# Its comparison is simpler. A target may be a hit if it contains the first three residues of the
# query. From there, residues are compared one by one, up to the highest score: 5 bits for each
# equal residue, and -1 for each other one.
if [ "$1" = -h ]; then
    echo '# HMMER 3.3.2 (Nov 2020); http://hmmer.org/'
    exit
fi
evalue=10 space=0
while [ $# -gt 2 ]; do
    case $1 in
    -E) evalue=$2 ;;
    -Z) space=$2 ;;
    --tblout) hits=$2 ;;
    --domtblout) domains=$2 ;;
    -o) alignments=$2 ;;
    --notextw)
        shift
        continue
        ;;
    esac
    shift 2
done
exec awk -v evalue="$evalue" -v space="$space" -v hits="$hits" -v domains="$domains" -v alignments="$alignments" '
# The query: a sequence, or the consensus of a profile, whose positions are numbered.
FNR == NR && /^>/ { is_sequence = 1; next }
FNR == NR && is_sequence { query = query $0; next }
FNR == NR && $1 == "LENG" { num_stated = $2 }
FNR == NR && $1 == length(query) + 1 && NF == 26 { query = query ($23 ~ /^[A-Za-z]$/ ? toupper($23) : "X") }
FNR == NR { next }

FNR == 1 {
    if (!is_sequence && length(query) != num_stated) {
        print "Error: the profile has " length(query) " positions, and says that it has " num_stated > "/dev/stderr"
        has_refused = 1
        exit
    }
    seed = substr(query, 1, 3)
}
/^>/ { name = substr($0, 2); num_targets++; next }
{
    best = 0
    for (start = 1; distance = index(substr($0, start), seed); start++) {
        start += distance - 1
        score = 0
        for (i = 1; i <= length(query) && start + i <= length($0) + 1; i++) {
            score += substr(query, i, 1) == substr($0, start + i - 1, 1) ? 50 : -10
            if (score > best) {
                best = score
                from = start
                num_columns = i
            }
        }
    }
    # In tenths of a bit. The same hit scores less in a longer target.
    best -= int(sqrt(length($0)))
    if (best > 0) {
        names[++num] = name
        lengths[num] = length($0)
        froms[num] = from
        rows[num] = substr($0, from, num_columns)
        # In the order of the targets.
        of_score[best] = of_score[best] " " num
        if (best > highest) highest = best
    }
}

END {
    if (has_refused) exit 1
    if (!space) space = num_targets
    print "# targets" > hits
    print "# domains of targets" > domains
    print "Query: q [L=" length(query) "]" > alignments
    for (score = highest; score > 0; score--) {
        expected = space * 2 ^ (-score / 10)
        if (expected > evalue + 0) break
        numbers = sprintf("%.2g %.1f 0.0", expected, score / 10)
        num_found = split(of_score[score], found, " ")
        for (i = 1; i <= num_found; i++) write(found[i], expected, numbers)
    }
    print "#\n# Program: none of HMMER\n# [ok]" > hits
    print "#\n# Program: none of HMMER\n# [ok]" > domains
    print "Target sequences: " num_targets " (all of them)\n//\n[ok]" > alignments
}

function write(hit, expected, numbers,    row, to, query_row, middle, letter, i) {
    row = rows[hit]
    to = froms[hit] + length(row) - 1
    query_row = substr(query, 1, length(row))
    for (i = 1; i <= length(row); i++) {
        letter = substr(row, i, 1)
        middle = middle (letter == substr(query, i, 1) ? tolower(letter) : " ")
    }
    print names[hit], "- q -", numbers, numbers, "1.0 1 0 0 1 1 1 1 -" > hits
    print names[hit], "-", lengths[hit], "q -", length(query), numbers, "1 1", sprintf("%.2g", expected), numbers, \
        1, length(row), froms[hit], to, froms[hit], to, "1.00 -" > domains
    print ">> " names[hit] "\n  == domain 1  conditional E-value: " sprintf("%.2g", expected) > alignments
    print sprintf("%20s %6d ", "q", 1) tolower(query_row) " " length(row) > alignments
    print sprintf("%28s", "") middle > alignments
    print sprintf("%20s %6d ", names[hit], froms[hit]) row " " to > alignments
    gsub(/./, "*", row)
    print sprintf("%28s", "") row " PP\n" > alignments
}
' "$@"
