"""The words around the tables of docs/accuracy.md; every figure of this project in it comes from the tables."""

HEAD = """# How often arrows are right

Written by `make experiment DATA="path@splits ..."` alone, version {version}. Direction only is released, the split
draws half of the rows for training, at most {rows:,} rows a pair take part, and the columns of a random half of the
pairs are exchanged, so that their order tells nothing. Shares are percent of all runs, refusals among them. Private
shares are exact probabilities, not simulations; ε is the total of one release. Intervals are Wilson's over pairs:
splits of the same pairs are no new pairs. The rules inside the scores were chosen on the project's own synthetic
families (docs/decisions/0007-likelihood.md) and frozen before any published pair was measured. Every row by blocks
takes as many blocks as the number of rows and each ε recommend, at least 100 rows a block where it can."""

PEERS = {
    "tuebingen": """ Cause-effect pairs of Mooij and others (JMLR 2016), the 99 univariate ones in the form of the
Causal Discovery Toolbox, which carries no weights: unweighted is all there is. Non-private peers, from their published
scores: GRCI 79.8, QCCD 69.7, IGCI 65.7, CAM 60.6, RESIT 57.6; causal-learn's additive noise model 59 to 61.""",
    "AN": """ Additive noise, smooth curves (Tagasovska and others, ICML 2020). Non-private peers, from their published
scores: QCCD 100, GRCI 100, CAM 100, IGCI 100, RESIT 100.""",
    "AN-s": """ Additive noise, sigmoids (same source). Non-private peers: QCCD 82, GRCI 94, CAM 100, IGCI 100,
RESIT 100.""",
    "LS": """ Location-scale noise, smooth curves (same source). Non-private peers: QCCD 100, GRCI 98, CAM 100, IGCI 98,
RESIT 60.""",
    "LS-s": """ Location-scale noise, sigmoids (same source). Non-private peers: QCCD 96, GRCI 87, CAM 53, IGCI 99,
RESIT 3.""",
    "MN-U": """ Multiplicative uniform noise (same source). Non-private peers: QCCD 99, GRCI 88, CAM 86, IGCI 100,
RESIT 5.""",
}

ALARMS = """## False alarms

Percent of pairs without an arrow to tell (half of 400 rows, half of 2,000) whose margin all the same stands out by
three standard errors. Of unrelated columns the dashboard says so first, by the test of dependence in the last
column."""

WHAT_FAILS = """## What fails, and why

- *Noise that is not additive* turns every score that assumes additive noise round: on sigmoidal location-scale and on
  multiplicative pairs the additive likelihood, HSIC and root HSIC are far below a coin, since the wrong way leaves
  residuals that depend less on the cause. Location-scale noise mends most of it, not all: sigmoids with location-scale
  noise stay the weakest of the published sets, for they are nearly as well described the other way round.
- *Every row by blocks* pays where pairs are hard: a block of a hundred rows finds the size of the noise badly, so what
  location-scale noise gains is partly lost again. At the smallest epsilon few blocks cannot outvote their noise.
- *Real pairs* stay hard for every score: many are confounded, rounded or nearly deterministic, and an interval over a
  hundred pairs is wide. The likelihood alone is shown to beat a coin on them.
- *Random networks, noise before the curve, products with a floor* among the families: no score here models them.
- *False alarms*: heavy tails and columns with a heap at zero make margins stand out where there is no arrow. The
  jackknife of the rank scores is too narrow on unrelated columns; the test of dependence is what says so there."""
