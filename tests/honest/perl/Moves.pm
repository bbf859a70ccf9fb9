# Plays the first legal turn: a complete jump if there is one.
package Moves;
use strict;
use warnings;

sub read_input {
    open my $file, '<', 'input.txt' or die "input.txt: $!";
    chomp(my @lines = <$file>);
    return ($lines[1] eq 'BLACK', [map { [split //] } @lines[3 .. 10]]);
}

sub at {
    my ($board, $row, $column) = @_;
    return $row < 0 || $row > 7 || $column < 0 || $column > 7 ? '#' : $board->[$row][$column];
}

sub name { return substr('abcdefgh', $_[1], 1) . (8 - $_[0]) }

sub ways {
    my ($piece, $black) = @_;
    my $ahead = $black ? 1 : -1;
    return map { my $down = $_; map { [$down, $_] } -1, 1 } $piece =~ /[BW]/ ? (1, -1) : $ahead;
}

sub jump {
    my ($board, $black, $row, $column) = @_;
    my $piece = $board->[$row][$column];
    for my $way (ways($piece, $black)) {
        my ($down, $right) = @$way;
        my ($to, $beside) = ($row + 2 * $down, $column + 2 * $right);
        next if lc at($board, $row + $down, $column + $right) ne ($black ? 'w' : 'b') || at($board, $to, $beside) ne '.';
        $board->[$row][$column] = $board->[$row + $down][$column + $right] = '.';
        $board->[$to][$beside] = $piece;
        my $crowned = $piece =~ /[bw]/ && $to == ($black ? 7 : 0);
        my $rest = $crowned ? '' : jump($board, $black, $to, $beside);
        return 'J ' . name($row, $column) . ' ' . name($to, $beside) . "\n$rest";
    }
    return '';
}

sub step {
    my ($board, $black, $row, $column) = @_;
    for my $way (ways($board->[$row][$column], $black)) {
        my ($to, $beside) = ($row + $way->[0], $column + $way->[1]);
        return 'E ' . name($row, $column) . ' ' . name($to, $beside) . "\n" if at($board, $to, $beside) eq '.';
    }
    return '';
}

sub turn {
    my ($black, $board) = @_;
    my @own = grep { lc $board->[$_->[0]][$_->[1]] eq ($black ? 'b' : 'w') } map { my $row = $_; map { [$row, $_] } 0 .. 7 } 0 .. 7;
    for my $find (\&jump, \&step) {
        for my $square (@own) {
            my $found = $find->($board, $black, @$square);
            return $found if $found;
        }
    }
    die 'no legal turn';
}

sub write_output {
    open my $file, '>', 'output.txt' or die "output.txt: $!";
    print $file $_[0];
    close $file or die "output.txt: $!";
}

1;
