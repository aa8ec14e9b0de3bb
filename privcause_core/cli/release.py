def sub(p,*prs):
    s=open(p).read()
    for a,b in prs:
        assert a in s,(p,a); s=s.replace(a,b)
    open(p,'w').write(s)
s=open('tests/unit/test_release.py').read()
s=s.replace('{"protect": "every-row", "route": "ridge"}, {"calibration"','{"protect": "every-row", "route": "ridge"},\n        {"calibration"')
open('tests/unit/test_release.py','w').write(s)
sub('privcause_core/cli/common.py',('''    "bandwidth": "HSIC's bandwidth in scaled units",
}
''','''    "bandwidth": "HSIC's bandwidth in scaled units",
    "soft_width": "width of soft Kendall's ramp in scaled units",
    "protect": "test-rows or every-row",
    "route": "how every row is protected: blocks or ridge",
    "blocks": "number of voting blocks",
    "range_x": "public range of X such as 0..100 (ridge)",
    "range_y": "public range of Y (ridge)",
    "ridge": "public lambda (ridge)",
}
'''),('''    "seed": "seed of the split and of the simulated draws",
    "draws": "simulated private runs",
''','''    "seed": "seed of the split",
    "draw_seed": "seed of the simulated draws",
    "draws": "simulated private runs",
'''))
s=open('privcause_core/cli/release.py').read()
i=s.index('# Everything but scores and epsilon has a default; nothing about simulated draws belongs to a plan.
PLAN_FLAGS = {
    name: about for name, about in SETTING_FLAGS.items() if name not in ("score", "epsilon", "draws", "draw_seed")
}


def add_arguments')
s=s[:i]+'''# Everything but scores and epsilon has a default; nothing about simulated draws belongs to a plan.
PLAN_FLAGS = {
    name: about for name, about in SETTING_FLAGS.items() if name not in ("score", "epsilon", "draws", "draw_seed")
}


'''+s[j:]
i=s.index('    planned = Plan.from_settings(Settings.from_dict(typed))
    return replace(planned, scores=tuple(args.score), epsilon=parse_decimal("epsilon", args.epsilon), delta=delta)


def _budget')
s=s[:i]+'''    planned = Plan.from_settings(Settings.from_dict(typed))
    return replace(planned, scores=tuple(args.score), epsilon=parse_decimal("epsilon", args.epsilon), delta=delta)


'''+s[j:]
s=s.replace('from privcause_core.cli.common import (\n','from privcause_core.cli.common import (\n    SETTING_FLAGS,\n').replace('import argparse\n','import argparse\nfrom dataclasses import replace\n')
open('privcause_core/cli/release.py','w').write(s)
