# A temporary file and a temporary folder, by the module that everybody uses.
use strict;
use warnings;
use File::Temp qw(tempfile tempdir);
use Moves;

my ($file, $name) = tempfile(UNLINK => 1);
print $file Moves::turn(Moves::read_input());
close $file or die $!;
my $folder = tempdir(CLEANUP => 1);
rename $name, "$folder/answer" or die $!;
open my $again, '<', "$folder/answer" or die $!;
Moves::write_output(do { local $/; <$again> });
