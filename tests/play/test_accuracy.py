"""How well somebody chose: only choices in which something could go wrong are counted."""

import pytest

from numduel.play.accuracy import NONE_YET, Accuracy, read_accuracy, risk, total


def test_an_accuracy_is_the_share_of_the_choices_that_mattered_not_of_all_moves() -> None:
    found = Accuracy(5, 6, 20)
    assert found.share == 5 / 6
    assert found.text == "83 % (5 of 6 choices that mattered)"
    assert Accuracy(1, 1, 4).text == "100 % (1 of 1 choice that mattered)"


def test_who_had_no_choice_that_mattered_has_no_accuracy() -> None:
    assert Accuracy(0, 0, 4).share is None
    assert Accuracy(0, 0, 4).text == "no choice that mattered"


def test_several_games_count_as_one() -> None:
    assert total([Accuracy(1, 2, 5), Accuracy(3, 3, 4)]) == Accuracy(4, 5, 9)
    assert total([]) == NONE_YET


def test_how_many_moves_mattered_is_told_only_where_all_were_counted() -> None:
    assert risk(Accuracy(1, 2, 5)) == "In 2 of 5 moves something could go wrong."
    assert risk(Accuracy(0, 0, 1)) == "In 0 of 1 move something could go wrong."
    assert risk(Accuracy(1, 2)) == ""
    assert risk(total([Accuracy(3, 9), Accuracy(1, 2, 5)])) == "", "of some games nobody counted"


@pytest.mark.parametrize(
    "damaged",
    [None, 0.5, "123", [1, 2], [1, 2, 3.0], [3, 2, 3], [1, 4, 3], [-1, 2, 3], [True, 1, 1]],
)
def test_what_was_saved_is_read_unless_it_is_damaged(damaged: object) -> None:
    assert read_accuracy([1, 2, 3]) == Accuracy(1, 2, 3)
    assert read_accuracy(damaged) is None
