PRAGMA application_id = 1346598449;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE account (id INTEGER PRIMARY KEY, opened TEXT NOT NULL) STRICT;
INSERT INTO "account" VALUES(1,'2026-12-02T09:00:00+00:00');
CREATE TABLE account_column (account INTEGER NOT NULL REFERENCES account, digest TEXT NOT NULL, distinctive INTEGER NOT NULL) STRICT;
INSERT INTO "account_column" VALUES(1,'31be766d05c69e4e081ef2331d7376b85a3c2f7a84cd5484712d2810adf2fd97',1);
INSERT INTO "account_column" VALUES(1,'4a61403563c092ecb12c914bc907a91616a82ef8b39556970c785e436dc7c05d',1);
CREATE TABLE account_link (account INTEGER NOT NULL REFERENCES account, other INTEGER NOT NULL REFERENCES account) STRICT;
CREATE TABLE budget (account INTEGER NOT NULL REFERENCES account, act TEXT NOT NULL CHECK (act IN ('fixed', 'raised', 'retired')), epsilon TEXT NOT NULL, delta TEXT NOT NULL, time TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
INSERT INTO "budget" VALUES(1,'fixed','20','0.01','2026-12-02T09:00:00+00:00','first release');
CREATE TABLE charge (entry TEXT NOT NULL UNIQUE, account INTEGER NOT NULL REFERENCES account, epsilon TEXT NOT NULL, delta TEXT NOT NULL, purpose TEXT NOT NULL, time TEXT NOT NULL) STRICT;
INSERT INTO "charge" VALUES('golden-entry-test-rows-0123456789abcdef',1,'2.5','1e-06','{"pair": "trial", "x": "dose", "y": "effect", "rows": 60, "scores": ["spearman", "kendall", "hsic", "iqr", "soft-kendall"], "epsilon": "0.5", "delta": "1e-06", "release": "two-scores", "calibration": "refined", "protect": "test-rows", "test_share": 0.4, "seed": 3, "bin_width": 1.0, "bandwidth": 1.0, "soft_width": 1.0, "route": "blocks", "range_x": "", "range_y": "", "ridge": 0.01, "blocks": 10}','2026-12-02T09:00:00+00:00');
INSERT INTO "charge" VALUES('golden-entry-test-rows-paper-direction-0123456789abcdef',1,'0.25','0','{"pair": "trial", "x": "dose", "y": "effect", "rows": 60, "scores": ["kendall"], "epsilon": "0.25", "delta": "1e-06", "release": "direction", "calibration": "paper", "protect": "test-rows", "test_share": 0.4, "seed": 3, "bin_width": 1.0, "bandwidth": 1.0, "soft_width": 1.0, "route": "blocks", "range_x": "", "range_y": "", "ridge": 0.01, "blocks": 10}','2026-12-02T10:00:00+00:00');
INSERT INTO "charge" VALUES('golden-entry-blocks-0123456789abcdef',1,'1','0','{"pair": "trial", "x": "dose", "y": "effect", "rows": 60, "scores": ["hsic"], "epsilon": "1", "delta": "1e-06", "release": "two-scores", "calibration": "refined", "protect": "every-row", "test_share": 0.5, "seed": 0, "bin_width": 1.0, "bandwidth": 1.0, "soft_width": 1.0, "route": "blocks", "range_x": "", "range_y": "", "ridge": 0.01, "blocks": 5}','2026-12-02T11:00:00+00:00');
INSERT INTO "charge" VALUES('golden-entry-public-ranges-0123456789abcdef',1,'4','1e-06','{"pair": "trial", "x": "dose", "y": "effect", "rows": 60, "scores": ["soft-kendall", "iqr"], "epsilon": "2", "delta": "1e-06", "release": "two-scores", "calibration": "refined", "protect": "every-row", "test_share": 0.5, "seed": 0, "bin_width": 1.0, "bandwidth": 1.0, "soft_width": 1.0, "route": "ridge", "range_x": "0..100", "range_y": "0..1100", "ridge": 0.01, "blocks": 10}','2026-12-02T12:00:00+00:00');
CREATE TABLE origin (secret_check TEXT NOT NULL) STRICT;
INSERT INTO "origin" VALUES('266b64a6b21f3ea08bea187093ae129aabe8462d0e618eb54dfd6987c1ad053e');
CREATE TABLE result (entry TEXT NOT NULL UNIQUE REFERENCES charge (entry), outcome TEXT NOT NULL) STRICT;
INSERT INTO "result" VALUES('golden-entry-test-rows-0123456789abcdef','{
  "format": "privcause-certificate/2",
  "entry": "golden-entry-test-rows-0123456789abcdef",
  "time": "2026-12-02T09:00:00+00:00",
  "software": {
    "privcause": "0.1.0",
    "opendp": "0.16.0",
    "python": "3.11.7"
  },
  "pair": {
    "name": "trial",
    "x": "dose",
    "y": "effect"
  },
  "public": {
    "complete_rows": 60,
    "n_train": 36,
    "n_test": 24
  },
  "plan": {
    "scores": [
      "spearman",
      "kendall",
      "hsic",
      "iqr",
      "soft-kendall"
    ],
    "epsilon": "0.5",
    "delta": "1e-06",
    "release": "two-scores",
    "calibration": "refined",
    "protect": "test-rows",
    "test_share": 0.4,
    "seed": 3,
    "bin_width": 1.0,
    "bandwidth": 1.0,
    "soft_width": 1.0,
    "route": "blocks",
    "range_x": "",
    "range_y": "",
    "ridge": 0.01,
    "blocks": 10
  },
  "not_used": [
    "route",
    "range_x",
    "range_y",
    "ridge",
    "blocks"
  ],
  "guarantee": {
    "epsilon": "2.5",
    "delta": "1e-06",
    "protected": "test rows only; training rows have no guarantee",
    "unit": "one replaced test row",
    "neighbours": "data sets that differ by replacing one test row; the number of rows is fixed and public",
    "public_facts": "which rows are complete, hence their number; the typed plan; the column names; how the file is laid out (separator, decimal mark, header, which cells are numbers)",
    "composition": "basic: 5 verdict(s), epsilons and deltas add"
  },
  "releases": [
    {
      "score": "spearman",
      "mechanism": "Laplace noise on each of the two scores",
      "cost": {
        "epsilon": "0.5",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "score",
          "at_most": 2,
          "sensitivity": 0.24000000000000044,
          "epsilon": 0.25,
          "noise_scale": 0.9600000000000017
        }
      ],
      "sensitivity_formula": "min(1, 6/(m+1))",
      "sensitivity_proved": 0.24,
      "outcome": {
        "refused": false,
        "values": {
          "score_xy": {
            "value": 0.9658459837729441,
            "interval": [
              -1.9100569988388914,
              3.8417489663847793
            ]
          },
          "score_yx": {
            "value": 1.2155700246419487,
            "interval": [
              -1.6603329579698867,
              4.091473007253784
            ]
          }
        },
        "margin": {
          "value": 0.24972404086900468,
          "interval": [
            -3.6987591086218545,
            4.198207190359864
          ]
        },
        "direction": "x->y",
        "confidence_in_direction": 0.1287744722077575,
        "confidence_of_intervals": 0.95
      }
    },
    {
      "score": "kendall",
      "mechanism": "Laplace noise on each of the two scores",
      "cost": {
        "epsilon": "0.5",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "score",
          "at_most": 2,
          "sensitivity": 0.16666666666666705,
          "epsilon": 0.25,
          "noise_scale": 0.6666666666666682
        }
      ],
      "sensitivity_formula": "min(1, 4/m)",
      "sensitivity_proved": 0.16666666666666666,
      "outcome": {
        "refused": false,
        "values": {
          "score_xy": {
            "value": 0.9032543538688563,
            "interval": [
              -1.0939004951671416,
              2.900409202904854
            ]
          },
          "score_yx": {
            "value": -0.030194014112433148,
            "interval": [
              -2.027348863148431,
              1.9669608349235648
            ]
          }
        },
        "margin": {
          "value": -0.9334483679812895,
          "interval": [
            -3.6754505551277212,
            1.808553819165142
          ]
        },
        "direction": "y->x",
        "confidence_in_direction": 0.5808362196804135,
        "confidence_of_intervals": 0.95
      }
    },
    {
      "score": "hsic",
      "mechanism": "Laplace noise on each of the two scores",
      "cost": {
        "epsilon": "0.5",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "score",
          "at_most": 2,
          "sensitivity": 0.0925944445370392,
          "epsilon": 0.25,
          "noise_scale": 0.3703777781481568
        }
      ],
      "sensitivity_formula": "min(2.0556/m + 4/m^2, (m^2)/(4(m-1)^2))",
      "sensitivity_proved": 0.09259444444444445,
      "outcome": {
        "refused": false,
        "values": {
          "score_xy": {
            "value": -0.24436573691807972,
            "interval": [
              -1.353918400323733,
              0.8651869264875734
            ]
          },
          "score_yx": {
            "value": 0.013916948926380757,
            "interval": [
              -1.0956357144792723,
              1.123469612332034
            ]
          }
        },
        "margin": {
          "value": 0.25828268584446046,
          "interval": [
            -1.2650823307845587,
            1.7816477024734796
          ]
        },
        "direction": "x->y",
        "confidence_in_direction": 0.3284903773847273,
        "confidence_of_intervals": 0.95
      }
    },
    {
      "score": "iqr",
      "mechanism": "propose-test-release on four log-IQRs (Algorithm 4, corrected)",
      "cost": {
        "epsilon": "0.5",
        "delta": "1e-06"
      },
      "draws": [
        {
          "statistic": "distance to instability",
          "at_most": 8,
          "sensitivity": 1.0,
          "epsilon": 0.06249999999375,
          "noise_scale": 16.000000001600004
        },
        {
          "statistic": "log-IQR",
          "at_most": 4,
          "sensitivity": 1.0,
          "epsilon": 0.06249999999375,
          "noise_scale": 16.000000001600004
        }
      ],
      "sensitivity_formula": "1 for a distance to instability; w, the bin width, for a log-IQR within its bin",
      "threshold": 244.22887873126953,
      "delta_per_release": 2.4999999997499997e-07,
      "one_column_changed": {
        "epsilon": 0.3749999999625,
        "delta": 7.499999999249999e-07
      },
      "outcome": {
        "refused": true,
        "values": {
          "log_iqr_x": {
            "value": null,
            "interval": null
          },
          "log_iqr_residual_y": {
            "value": null,
            "interval": null
          },
          "log_iqr_y": {
            "value": null,
            "interval": null
          },
          "log_iqr_residual_x": {
            "value": null,
            "interval": null
          }
        },
        "confidence_of_intervals": 0.95
      }
    },
    {
      "score": "soft-kendall",
      "mechanism": "Laplace noise on each of the two scores",
      "cost": {
        "epsilon": "0.5",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "score",
          "at_most": 2,
          "sensitivity": 0.16666666666666705,
          "epsilon": 0.25,
          "noise_scale": 0.6666666666666682
        }
      ],
      "sensitivity_formula": "min(1, 4/m)",
      "sensitivity_proved": 0.16666666666666666,
      "outcome": {
        "refused": false,
        "values": {
          "score_xy": {
            "value": -1.911731881086646,
            "interval": [
              -3.908886730122644,
              0.08542296794935189
            ]
          },
          "score_yx": {
            "value": -0.5186898502880998,
            "interval": [
              -2.5158446993240977,
              1.478464998747898
            ]
          }
        },
        "margin": {
          "value": 1.3930420307985463,
          "interval": [
            -1.3489601563478852,
            4.135044217944978
          ]
        },
        "direction": "x->y",
        "confidence_in_direction": 0.7469762945165056,
        "confidence_of_intervals": 0.95
      }
    }
  ]
}
');
INSERT INTO "result" VALUES('golden-entry-test-rows-paper-direction-0123456789abcdef','{
  "format": "privcause-certificate/2",
  "entry": "golden-entry-test-rows-paper-direction-0123456789abcdef",
  "time": "2026-12-02T10:00:00+00:00",
  "software": {
    "privcause": "0.1.0",
    "opendp": "0.16.0",
    "python": "3.11.7"
  },
  "pair": {
    "name": "trial",
    "x": "dose",
    "y": "effect"
  },
  "public": {
    "complete_rows": 60,
    "n_train": 36,
    "n_test": 24
  },
  "plan": {
    "scores": [
      "kendall"
    ],
    "epsilon": "0.25",
    "delta": "1e-06",
    "release": "direction",
    "calibration": "paper",
    "protect": "test-rows",
    "test_share": 0.4,
    "seed": 3,
    "bin_width": 1.0,
    "bandwidth": 1.0,
    "soft_width": 1.0,
    "route": "blocks",
    "range_x": "",
    "range_y": "",
    "ridge": 0.01,
    "blocks": 10
  },
  "not_used": [
    "delta",
    "bin_width",
    "bandwidth",
    "soft_width",
    "route",
    "range_x",
    "range_y",
    "ridge",
    "blocks"
  ],
  "guarantee": {
    "epsilon": "0.25",
    "delta": "0",
    "protected": "test rows only; training rows have no guarantee",
    "unit": "one replaced test row",
    "neighbours": "data sets that differ by replacing one test row; the number of rows is fixed and public",
    "public_facts": "which rows are complete, hence their number; the typed plan; the column names; how the file is laid out (separator, decimal mark, header, which cells are numbers)",
    "composition": "basic: 1 verdict(s), epsilons and deltas add"
  },
  "releases": [
    {
      "score": "kendall",
      "mechanism": "Laplace noise on the difference of the two scores",
      "cost": {
        "epsilon": "0.25",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "margin",
          "at_most": 1,
          "sensitivity": 0.3333333333333341,
          "epsilon": 0.25,
          "noise_scale": 1.3333333333333364
        }
      ],
      "sensitivity_formula": "4/m",
      "sensitivity_proved": 0.16666666666666666,
      "outcome": {
        "refused": false,
        "values": {
          "margin": {
            "value": 0.7122649316160092,
            "interval": [
              -3.2820447664559866,
              4.706574629688005
            ]
          }
        },
        "margin": {
          "value": 0.7122649316160092,
          "interval": [
            -3.2820447664559866,
            4.706574629688005
          ]
        },
        "direction": "x->y",
        "confidence_in_direction": 0.4138612242240748,
        "confidence_of_intervals": 0.95
      }
    }
  ]
}
');
INSERT INTO "result" VALUES('golden-entry-blocks-0123456789abcdef','{
  "format": "privcause-certificate/2",
  "entry": "golden-entry-blocks-0123456789abcdef",
  "time": "2026-12-02T11:00:00+00:00",
  "software": {
    "privcause": "0.1.0",
    "opendp": "0.16.0",
    "python": "3.11.7"
  },
  "pair": {
    "name": "trial",
    "x": "dose",
    "y": "effect"
  },
  "public": {
    "complete_rows": 60,
    "blocks": 5,
    "rows_in_smallest_block": 12
  },
  "plan": {
    "scores": [
      "hsic"
    ],
    "epsilon": "1",
    "delta": "1e-06",
    "release": "two-scores",
    "calibration": "refined",
    "protect": "every-row",
    "test_share": 0.5,
    "seed": 0,
    "bin_width": 1.0,
    "bandwidth": 1.0,
    "soft_width": 1.0,
    "route": "blocks",
    "range_x": "",
    "range_y": "",
    "ridge": 0.01,
    "blocks": 5
  },
  "not_used": [
    "delta",
    "release",
    "calibration",
    "bin_width",
    "soft_width",
    "range_x",
    "range_y",
    "ridge"
  ],
  "guarantee": {
    "epsilon": "1",
    "delta": "0",
    "protected": "every row, by disjoint blocks of rows that vote",
    "unit": "one replaced row",
    "neighbours": "data sets that differ by replacing one row; the number of rows is fixed and public",
    "public_facts": "which rows are complete, hence their number; the typed plan; the column names; how the file is laid out (separator, decimal mark, header, which cells are numbers)",
    "composition": "basic: 1 verdict(s), epsilons and deltas add"
  },
  "releases": [
    {
      "score": "hsic",
      "mechanism": "Laplace noise on the difference of two counts of votes, one vote a block",
      "cost": {
        "epsilon": "1",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "margin",
          "at_most": 1,
          "sensitivity": 2.0,
          "epsilon": 1.0,
          "noise_scale": 2.0
        }
      ],
      "sensitivity_formula": "1 for either count of votes, since one row changes the vote of one block",
      "sensitivity_proved": 1.0,
      "outcome": {
        "refused": false,
        "values": {
          "margin": {
            "value": 1.6008954624107654,
            "interval": [
              -4.390569084697215,
              7.592360009518745
            ]
          }
        },
        "margin": {
          "value": 1.6008954624107654,
          "interval": [
            -4.390569084697215,
            7.592360009518745
          ]
        },
        "direction": "x->y",
        "confidence_in_direction": 0.5508721694512484,
        "confidence_of_intervals": 0.95
      }
    }
  ]
}
');
INSERT INTO "result" VALUES('golden-entry-public-ranges-0123456789abcdef','{
  "format": "privcause-certificate/2",
  "entry": "golden-entry-public-ranges-0123456789abcdef",
  "time": "2026-12-02T12:00:00+00:00",
  "software": {
    "privcause": "0.1.0",
    "opendp": "0.16.0",
    "python": "3.11.7"
  },
  "pair": {
    "name": "trial",
    "x": "dose",
    "y": "effect"
  },
  "public": {
    "complete_rows": 60,
    "n_train": 30,
    "n_test": 30
  },
  "plan": {
    "scores": [
      "soft-kendall",
      "iqr"
    ],
    "epsilon": "2",
    "delta": "1e-06",
    "release": "two-scores",
    "calibration": "refined",
    "protect": "every-row",
    "test_share": 0.5,
    "seed": 0,
    "bin_width": 1.0,
    "bandwidth": 1.0,
    "soft_width": 1.0,
    "route": "ridge",
    "range_x": "0..100",
    "range_y": "0..1100",
    "ridge": 0.01,
    "blocks": 10
  },
  "not_used": [
    "blocks"
  ],
  "guarantee": {
    "epsilon": "4",
    "delta": "1e-06",
    "protected": "every row, by a regression with public ranges, bandwidth and lambda",
    "unit": "one replaced row",
    "neighbours": "data sets that differ by replacing one row; the number of rows is fixed and public",
    "public_facts": "which rows are complete, hence their number; the typed plan; the column names; how the file is laid out (separator, decimal mark, header, which cells are numbers)",
    "composition": "basic: 2 verdict(s), epsilons and deltas add"
  },
  "releases": [
    {
      "score": "soft-kendall",
      "mechanism": "Laplace noise on each of the two scores",
      "cost": {
        "epsilon": "2",
        "delta": "0"
      },
      "draws": [
        {
          "statistic": "score",
          "at_most": 2,
          "sensitivity": 1.000000000000001,
          "epsilon": 1.0,
          "noise_scale": 1.000000000000001
        }
      ],
      "sensitivity_formula": "the larger of min(1, 4/m) and m/(m-1) η/h",
      "sensitivity_proved": 1.0,
      "eta_formula": "the most that one training row moves a residual, in scaled units: 8 sqrt(1 - s^2) (1 + F s)/(n lambda), rounded up, with F = 1/(2 sqrt(lambda)), s = (sqrt(1 + 8 F^2) - 1)/(4 F), n training and m test rows; h is the bandwidth, or for soft-kendall the soft width",
      "eta": 8.000008005648851,
      "outcome": {
        "refused": false,
        "values": {
          "score_xy": {
            "value": 1.8868066301912287,
            "interval": [
              -1.1089256433627643,
              4.882538903745222
            ]
          },
          "score_yx": {
            "value": 1.2684697233875037,
            "interval": [
              -1.7272625501664893,
              4.264201996941496
            ]
          }
        },
        "margin": {
          "value": -0.618336906803725,
          "interval": [
            -4.731340187523367,
            3.4946663739159174
          ]
        },
        "direction": "y->x",
        "confidence_in_direction": 0.2945678883019742,
        "confidence_of_intervals": 0.95
      }
    },
    {
      "score": "iqr",
      "mechanism": "propose-test-release on four log-IQRs (Algorithm 4, corrected)",
      "cost": {
        "epsilon": "2",
        "delta": "1e-06"
      },
      "draws": [
        {
          "statistic": "distance to instability",
          "at_most": 8,
          "sensitivity": 1.0,
          "epsilon": 0.249999999975,
          "noise_scale": 4.000000000400001
        },
        {
          "statistic": "log-IQR",
          "at_most": 4,
          "sensitivity": 1.0,
          "epsilon": 0.249999999975,
          "noise_scale": 4.000000000400001
        }
      ],
      "eta_formula": "the most that one training row moves a residual, in scaled units: 8 sqrt(1 - s^2) (1 + F s)/(n lambda), rounded up, with F = 1/(2 sqrt(lambda)), s = (sqrt(1 + 8 F^2) - 1)/(4 F), n training and m test rows; h is the bandwidth, or for soft-kendall the soft width",
      "eta": 8.000008005648851,
      "sensitivity_formula": "1 for a distance to instability; w, the bin width, for a log-IQR within its bin",
      "threshold": 61.80721968281738,
      "delta_per_release": 2.4999999997499997e-07,
      "one_column_changed": {
        "epsilon": 1.49999999985,
        "delta": 7.499999999249999e-07
      },
      "outcome": {
        "refused": true,
        "values": {
          "log_iqr_x": {
            "value": null,
            "interval": null
          },
          "log_iqr_residual_y": {
            "value": null,
            "interval": null
          },
          "log_iqr_y": {
            "value": null,
            "interval": null
          },
          "log_iqr_residual_x": {
            "value": null,
            "interval": null
          }
        },
        "confidence_of_intervals": 0.95
      }
    }
  ]
}
');
CREATE TABLE split (account INTEGER NOT NULL REFERENCES account, seed INTEGER NOT NULL, test_share TEXT NOT NULL) STRICT;
INSERT INTO "split" VALUES(1,3,'0.4');
CREATE TABLE split_column (account INTEGER NOT NULL REFERENCES account, digest TEXT NOT NULL, test TEXT NOT NULL) STRICT;
INSERT INTO "split_column" VALUES(1,'31be766d05c69e4e081ef2331d7376b85a3c2f7a84cd5484712d2810adf2fd97','10e52a408c2e69716b2fb80c2c1ac58a2d31019fed6e6643cb26a00fdc63b376');
INSERT INTO "split_column" VALUES(1,'4a61403563c092ecb12c914bc907a91616a82ef8b39556970c785e436dc7c05d','b6594ff9913c50dcaaf08135b519891be261565afc5dbc4cc0dc3d70ccf8d60a');
CREATE TRIGGER origin_no_update BEFORE UPDATE ON origin BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER origin_no_delete BEFORE DELETE ON origin BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_no_update BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_no_delete BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_column_no_update BEFORE UPDATE ON account_column BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_column_no_delete BEFORE DELETE ON account_column BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_link_no_update BEFORE UPDATE ON account_link BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_link_no_delete BEFORE DELETE ON account_link BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER budget_no_update BEFORE UPDATE ON budget BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER budget_no_delete BEFORE DELETE ON budget BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER split_no_update BEFORE UPDATE ON split BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER split_no_delete BEFORE DELETE ON split BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER split_column_no_update BEFORE UPDATE ON split_column BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER split_column_no_delete BEFORE DELETE ON split_column BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER charge_no_update BEFORE UPDATE ON charge BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER charge_no_delete BEFORE DELETE ON charge BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER result_no_update BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER result_no_delete BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER charge_no_replace BEFORE INSERT ON charge WHEN EXISTS (SELECT 1 FROM charge WHERE entry = NEW.entry) BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER result_no_replace BEFORE INSERT ON result WHEN EXISTS (SELECT 1 FROM result WHERE entry = NEW.entry) BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
COMMIT;
