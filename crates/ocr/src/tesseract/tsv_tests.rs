use super::tsv::lines;

/// As the program prints it.
const TABLE: &str =
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t1000\t500\t-1\t
2\t1\t1\t0\t0\t0\t100\t50\t400\t40\t-1\t
3\t1\t1\t1\t0\t0\t100\t50\t400\t40\t-1\t
4\t1\t1\t1\t1\t0\t100\t50\t400\t40\t-1\t
5\t1\t1\t1\t1\t1\t100\t50\t150\t40\t96.5\tBuild
5\t1\t1\t1\t1\t2\t270\t55\t130\t35\t91.5\tfailed:
5\t1\t1\t1\t1\t3\t420\t52\t80\t36\t88\t3 errors
4\t1\t1\t1\t2\t0\t100\t150\t90\t20\t-1\t
5\t1\t1\t1\t2\t1\t100\t150\t90\t20\t40.0\tmain.rs
5\t1\t2\t1\t1\t1\t600\t150\t90\t20\t95\t
";

#[test]
fn words_of_a_line_are_put_together_with_their_box() {
    let read = lines(TABLE, 1_000, 500);
    let texts: Vec<&str> = read.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["Build failed: 3 errors", "main.rs"]);
    let first = &read[0];
    assert_eq!(
        (first.left, first.top, first.width, first.height),
        (0.1, 0.1, 0.4, 0.08)
    );
    assert!((first.confidence - 0.92).abs() < 0.001, "{}", first.confidence);
    assert!((read[1].confidence - 0.4).abs() < 0.001);
}

#[test]
fn rows_that_make_no_sense_are_passed_over() {
    for table in [
        "",
        "nonsense",
        "5",
        "5\t1\t1\t1\t1\t1\tleft\t50\t150\t40\t96\tBuild",
        "5\t1\t1\t1\t1\t1\tNaN\tinf\t150\t40\t96\tBuild",
        "5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t-1\tguess",
        "5\t-1\t1\t1\t1\t1\t1\t1\t1\t1\t90\tword",
        "\t\t\t\t\t\t\t\t\t\t\t\t\t",
    ] {
        assert!(lines(table, 100, 100).is_empty(), "{table:?}");
    }
    let with_tab = "5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t90\ta\tb";
    assert_eq!(lines(with_tab, 0, 0)[0].text, "a\tb");
}

#[test]
fn there_is_a_most_of_lines() {
    let table: String = (0..2_000)
        .map(|line| format!("5\t1\t1\t1\t{line}\t1\t1\t{line}\t1\t1\t90\tword\n"))
        .collect();
    assert_eq!(lines(&table, 100, 2_000).len(), 500);
}
