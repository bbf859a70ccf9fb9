#!/bin/sh
{ read -r kind; read -r side; } < input.txt
turn=0
[ -f playdata.txt ] && read -r turn < playdata.txt
[ "$turn" -lt TURNS ] || exit 0
echo $((turn + 1)) > playdata.txt
case $side$turn in
    BLACK0) echo E b6 a5 ;;
    BLACK1) echo E a7 b6 ;;
    BLACK2) echo E b8 a7 ;;
    WHITE0) echo E g3 h4 ;;
    WHITE1) echo E h2 g3 ;;
    WHITE2) echo E g1 h2 ;;
esac > output.txt
