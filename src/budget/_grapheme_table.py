"""Classes for the rules of graphemes, by tests/integration/generate_graphemes.py.

Unicode 18.0. Each run of characters is its length in hexadecimal and its class.
"""

RUNS = """\
ac 1n 2c 1r 12c 5fo 21c 9o 1x 3o 1c 1x 251o 70e 113o 7e 107o 2de 1o 1e 1o 2e 1o 2e 1o 3e 36o 6p ao
be 1o 1c 2eo 15e 10o 1e 65o 7e 1p 1o 6e 2o 2e 1o 4e 21o 1p 1o 1e 1eo 1be 5bo be 3ao 9e 9o 1e 18o
4e 1o 9e 1o 3e 1o 5e 2bo 3e 34o 2p 5o 9e 2ao 18e 1p 20e 1s 11o 25q 1e 1s 1e 1o 3s 8e 4s 1i 2s 1o
7e 8q 2o 2e 14o 8q 1o 1e 2s 11o 14q 1o 7q 1o 1q 3o 4q 2o 1e 1o 1e 2s 4e 2o 2s 2o 2s 1i 9o 1e 4o 2q
1o 1q 2o 2e co 2q co 1e 2o 2e 1s 38o 1e 1o 3s 2e 4o 2e 2o 3e 3o 1e 1eo 2e 3o 1e bo 2e 1s 11o 14q
1o 7q 1o 2q 1o 5q 2o 1e 1o 3s 5e 1o 2e 1s 1o 2s 1i 14o 2e 15o 1q 6e 1o 1e 2s 11o 14q 1o 7q 1o 2q
1o 5q 2o 1e 1o 2e 1s 4e 2o 2s 2o 2s 1i 5o 5e 4o 2q 1o 1q 2o 2e do 1q 10o 1e 3bo 1e 1s 1e 2s 3o 3s
1o 3s 1e 9o 1e 28o 1e 3s 1e 10o 14q 1o 10q 2o 1e 1o 3e 4s 1o 3e 1o 3e 1i 7o 2e 1o 3q 7o 2e 1do 1e
2s 38o 1e 1o 1s 2e 1s 1e 2s 1o 3e 1o 4e 7o 2e bo 2e fo 1s co 2e 2s 11o 26q 2e 1o 1e 2s 4e 1o 3s 1o
3s 1i 1p 8o 1e ao 2e 1do 1e 2s 46o 1e 4o 1e 2s 3e 1o 1e 1o 7s 1e 12o 2s 3do 1e 1o 1s 7e co 8e 62o
1e 1o 1s 9e bo 7e 49o 2e 1bo 1e 1o 1e 1o 1e 4o 2s 31o ee 1s 5e 1o 2e 5o be 1o 24e 9o 1e 39o 2bq 2o
4e 1s 6e 1o 1i 1e 2s 2e 1q 10o 6q 2s 2e 4q 3e 1q 3o 2q 7o 3q 4e dq 1e 1o 1s 2e 6o 1e 1q eo 1e 62o
60l 48v 58t 15do 3e 3b2o 4e 1co 3e 1do 2e 1eo 2e co 34q 2e 1s 7e 8s 1e 2s 9e 1i 1e 9o 1e 2do 3e 1c
1e 75o 2e 22o 1e 76o 3e 4s 2e 3s 4o 2s 1e 6s 3e dbo 2e 2s 1e 4o 35q 1s 1e 1s 7e 1o 1i 1o 1e 2o 8e
6s ae 2o 1e 30o 41e fo 4e 1s 6o 2q 6o 21q ae 4s 2e 1i 8q 1eo 9e co 2e 1s 1eq 1s 4e 2s 3e 1i 2e 2q
bo 3q 28o 1e 1s 2e 3s 1e 1s 5e 30o 8s 8e 2s 2e 98o 3e 1o de 1s 7e 4o 1e 6o 1e 2j 1s 2e c6o 40e
20bo 1c 1m 1z 2c 18o 7c do 1x co 1x 16o 10c 60o 21e 31o 1x 16o 1x 5ao 6x fo 2x 16fo 2x co 1x a6o
1x 19o bx 4o 3x c7o 1x e7o 2x ao 1x 9o 1x 3ao 4x 1o 5x 9o 1x 2o 1x 2o 2x 2o 1x 4o 1x 2o 1x 1o 2x
2o 1x 3o 1x 3o 2x 8o 3x 5o 1x 1o 1x 5o cx bo 2x 2o 1x 1o 2x 1o 1x 12o 1x 2o 2x 12o 6x 1o 1x 1o 2x
3o 2x 5o 1x 2o 2x 4o 2x bo 2x 5o 2x 2o 1x 5o 2x 1o 1x 1o 2x 14o 2x 5o 6x 1o 4x 2o 1x 4o 1x 2o 1x
2o 6x 1o 1x 2o 1x 1o 1x 1o 1x 6o 1x 3o 1x 6o 1x ao 2x fo 1x 2o 1x 4o 1x 1o 1x 4o 3x 1o 1x bo 2x
30o 3x 9o 1x eo 1x eo 1x 174o 2x 1cfo 3x 13o 2x 33o 1x 4o 1x 199o 3e 8do 1e 60o 20e 22ao 6e 1x co
1x 5bo 2e 1fco 1x 1o 1x 73d5o 4e 1o ae 20o 2e 50o 2e 110o 1e 3o 1e 4o 1e 17o 2s 2e 1s 4o 1e 53o 2s
32o 10s 2e 1ao 12e do 1e 26o 8e 19o be 1s 1e co 1dl 3o 3e 1s 5o 3q 3o 24q 1e 2s 4e 2s 2e 2s 1i 1fo
5q 1e 1o 9q ao 5q 2ao 6e 2s 2e 2s 2e co 1e 8o 1e 1s 12o 10q 1o 3q 6o 1q 1o 1e 1o 2q 30o 1e 1o 3e
2o 2e 5o 2e 1o 1e 1eo bq 1s 2e 2s 5o 1s 1i c9o 1bq 8o 2s 1e 2s 1e 2s 1o 1s 1e 12o 2ba4h co 17v 4o
31t 2322o 1e 2e1o 10e 10o 10e cfo 1c 9eo 2e 50o cc 201o 1e e2o 1e 95o 5e 685o 1q 3e 1o 2e 5o 4e 4q
1o 3q 1o 1dq 2o 3e 4o 1i a5o 2e 23do 4e 41o 5e 13do 2e 1eo 5e 20o 10e 46o be 31o 4e 7ao 1s 1e 1s
35o fe 29o 1e 2o 2e ao 3e 1s 2do 3s 4e 2s 2e 2o 1p 4o 1e ao 1p 32o 3e 24q 5e 1s 6e 1i 1e fo 1q 2s
1q 2bo 1e co 2e 1s 30o 3s 9e 1s 1e 1o 2p 5o 4e 1o 1s 1e 5co 3s 3e 2s 4e 6o 1e 2o 1e 9do 1e 3s 8e
15o 2e 2s 37o 2e 1o 1e 1s 1e 4s 2o 2s 2o 2s 1e 9o 1e ao 2s 2o 7e 3o 5e bo aq 1o 1q 2o 1q 1o 26q 2o
1e 2s 6e 1o 1e 2o 1e 1o 3e 1s 1o 2s 2e 1i 1p 1e eo 2e 52o 3s 8e 2s 3e 1s 1e 17o 1e 51o 1e 2s 6e 1s
1e 2s 1e 1s 2e 1s 2e ebo 1e 2s 4e 2o 4s 2e 1s 2e 1bo 2e 52o 3s 8e 2s 1e 1s 2e 6ao 1e 1s 1e 2s 8e
65o 1e 1s 1e 2o 4e 1s 5e 100o 3s 9e 1s 2e c5o 7q 2o 1q 2o 8q 1o 2q 1o 18q 1e 5s 1o 2s 2o 3e 1i 1p
1s 1p 1s 1e 8do 3s 4e 2o 2e 4s 1e 3o 1s 1bo 1q ae 28q 6e 1s 1j 4e 8o 1i 8o 1q 6e 2s 3e 28q 6p de
1s 1e 1i 70o 1q 55o 1e 1s 3e 1s 1e 1s c7o 1s 7e 1o 6e 1s 1e 52o 16e 1o 1s 7e 1s 2e 1s 2e 7ao 6e 3o
1e 1o 2e 1o 7e 1p 1e 42o 5s 1o 2e 1o 2s 1e 1s 1e 58o 1e 1q 101o 2e 2s 9o 2e 1p 1s dq 1o 22q 2s 5e
3o 2s 2e 1i 17o 1e 14d5o 10c 1e 6o fe 2cc8o ce 3s 3e 9c0o 5e 3bo 7e 22co 1v 3o 4v 1e4o 1e 1o 37s
7o 4e 51o 1e bo 2e 4cabo 2e 1o 4c 125co 2ee 2o 17e 1e0o 2e 3co 5e 3o 6e 8c 8e 2o 7e 1eo 4e 94o 3e
bo 3e 8o 2e 2o 1e 20o 2e 77eo 37e 4o 32e 8o 1e eo 1e 16o 5e 1o fe 550o 7e 1o 11e 2o 7e 1o 2e 1o 5e
64o 1e a0o 7e 177o 1e 3do 4e 1fco 4e feo 2e f3o 1e 2o 1e 7o 2e 5o 1e 1dao 7e 6do 7e 6b9o 1x 27o 4x
64o cx fo 2x fo 1x eo 2x 25o ax 70o 2x co 2x eo 1x 2o ax 14o 37x 1af 1o fx ao 1x 14o 1x 2o 9x 1o
4x 9o 17x 6o bcx 2o 70x 2o 2x 1o 3x 2o 53x 2o 3x 1o 4x 5e fex 1o 3fx bo 6x 1o 18x 7o 2x 2o 8x co
1x 2o 4x 2o 1x 4o 2x do 2x 2o 1x 8o 2x 9o 1x 5o 3x co 3x 8o 3x 2o 1x 1o 1x 4o 1x 6o 1x 3o 1x 6o
56x 30o 46x 5o 8x 2o 11x 3o 1x 1o 6x 2o dx dco 15x 1bo 4x 38o 8x ao 6x 28o 8x 1eo 2x co 4x 2o ex
9o 27x co 2fx 1o ax 1o b9x 58o 8x eo 92x 100o 3fex c0002o 20c 60e 80c f0e e10c 2f000o
"""
