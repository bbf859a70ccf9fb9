# Plays the first legal turn: a complete jump if there is one.
proc at {row column} {
    global board
    if {$row < 0 || $row > 7 || $column < 0 || $column > 7} { return "#" }
    return $board($row,$column)
}
proc name {row column} { return "[string index abcdefgh $column][expr {8 - $row}]" }
proc ways {piece} {
    global black
    set ahead [expr {$black ? 1 : -1}]
    set downs [expr {[string is upper $piece] ? {1 -1} : $ahead}]
    set ways {}
    foreach down $downs { foreach right {-1 1} { lappend ways [list $down $right] } }
    return $ways
}
proc jump {row column} {
    global board black
    set piece $board($row,$column)
    foreach way [ways $piece] {
        lassign $way down right
        set to [expr {$row + 2 * $down}]
        set beside [expr {$column + 2 * $right}]
        set taken [at [expr {$row + $down}] [expr {$column + $right}]]
        if {[string tolower $taken] ne ($black ? "w" : "b") || [at $to $beside] ne "."} continue
        set board($row,$column) .
        set board([expr {$row + $down}],[expr {$column + $right}]) .
        set board($to,$beside) $piece
        set line "J [name $row $column] [name $to $beside]\n"
        if {[string is lower $piece] && $to == ($black ? 7 : 0)} { return $line }
        return $line[jump $to $beside]
    }
    return ""
}
proc step {row column} {
    global board
    foreach way [ways $board($row,$column)] {
        set to [expr {$row + [lindex $way 0]}]
        set beside [expr {$column + [lindex $way 1]}]
        if {[at $to $beside] eq "."} { return "E [name $row $column] [name $to $beside]\n" }
    }
    return ""
}
proc turn {} {
    global board black
    foreach find {jump step} {
        for {set row 0} {$row < 8} {incr row} {
            for {set column 0} {$column < 8} {incr column} {
                if {[string tolower $board($row,$column)] ne ($black ? "b" : "w")} continue
                set found [$find $row $column]
                if {$found ne ""} { return $found }
            }
        }
    }
    error "no legal turn"
}
set file [open input.txt]
set lines [split [read $file] "\n"]
close $file
set black [expr {[lindex $lines 1] eq "BLACK"}]
for {set row 0} {$row < 8} {incr row} {
    for {set column 0} {$column < 8} {incr column} {
        set board($row,$column) [string index [lindex $lines [expr {3 + $row}]] $column]
    }
}
# The answer takes a detour through a pipe and an event.
set pipe [open "|cat" r+]
puts -nonewline $pipe [turn]
close $pipe write
set answer ""
fileevent $pipe readable {
    append answer [read $pipe]
    if {[eof $pipe]} { set done 1 }
}
vwait done
close $pipe
set file [open output.txt w]
puts -nonewline $file $answer
close $file
