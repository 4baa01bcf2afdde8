//! Output of results as JUnit XML, for CI servers: a suite for each file, a case for each data set.
//!
//! Elements and attributes are those of the schema of Jenkins' xUnit plug-in (`junit-10.xsd`). There a suite has a file but a
//! case has none, so the text of a failure contains the position of the case.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::outcomes::{Came, Log};
use crate::output::Stop;

/// A file of the run, also if it was skipped.
pub(super) struct Ran<'a> {
    /// Name of the file.
    pub(super) file: &'a str,
    /// Path of the file.
    pub(super) path: &'a Path,
    /// The seed, if the same file is run with several.
    pub(super) seed: Option<u64>,
    pub(super) seconds: f64,
    /// The printed text or the error; `None` if the file was skipped after a failure.
    pub(super) outcome: Option<Result<&'a str, &'a Stop>>,
    pub(super) log: &'a Log,
    /// The command that runs only this file.
    pub(super) again: Option<&'a str>,
}

/// A case of the file.
struct Case<'a> {
    class: &'a str,
    name: String,
    /// File and line of a data set.
    place: Option<String>,
    seconds: f64,
    verdict: Verdict,
    output: String,
}

/// The result of a case.
enum Verdict {
    Passed,
    Skipped,
    /// A failure: values, a deadlock, an assertion, an expectation.
    Failed(String),
    /// The reason why it was not run: it could not be read or compiled.
    Error(String),
}

/// Formats the numbers of cases, and of those with each result.
fn counts<'c>(cases: impl Iterator<Item = &'c Case<'c>>) -> String {
    let [mut tests, mut failures, mut errors, mut skipped] = [0; 4];
    for case in cases {
        tests += 1;
        match case.verdict {
            Verdict::Passed => {}
            Verdict::Skipped => skipped += 1,
            Verdict::Failed(_) => failures += 1,
            Verdict::Error(_) => errors += 1,
        }
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// Returns the text of the XML file, in the order of the runs.
pub(super) fn text(started: SystemTime, all: &[Ran<'_>]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for ran in all {
        let cases = cases(ran);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" file=\"{}\" timestamp=\"{}\" {} time=\"{:.3}\">",
            escaped(&ran.named(ran.file)),
            escaped(&ran.path.display().to_string()),
            timestamp(started),
            counts(cases.iter()),
            ran.seconds,
        );
        for case in &cases {
            case.write(&mut text);
        }
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

impl Ran<'_> {
    /// Returns a name, with the seed if there are several.
    fn named(&self, name: &str) -> String {
        match self.seed {
            Some(seed) => format!("{name} (seed {seed})"),
            None => name.to_owned(),
        }
    }
}

/// Returns the cases of a file: its data sets, the expectations about all of them, and an error that prevented the runs.
fn cases<'a>(ran: &Ran<'a>) -> Vec<Case<'a>> {
    let log = ran.log;
    let case = |name: &str, verdict: Verdict| Case {
        class: ran.file,
        name: ran.named(name),
        place: None,
        seconds: 0.0,
        verdict,
        output: String::new(),
    };
    let again = |why: &str| match ran.again {
        Some(again) => format!("{why}\nagain: {again}"),
        None => why.to_owned(),
    };
    let mut all = Vec::new();
    let has_failures = log.has_failures();
    let is_over = matches!(ran.outcome, Some(Ok(_)));
    for (number, set) in log.data_sets.iter().enumerate() {
        let verdict = match &set.came {
            Came::Passed => Verdict::Passed,
            Came::Failed(why) => Verdict::Failed(again(why)),
            Came::Nothing if is_over => Verdict::Passed,
            Came::Nothing if has_failures => Verdict::Skipped,
            // An error that prevented all runs is a case of its own.
            Came::Nothing => continue,
        };
        let mut case = case(&set.name, verdict);
        case.seconds = set.seconds;
        case.place.clone_from(&set.place);
        if let (None, Some(file), Some(line)) = (&set.place, &log.data_file, set.line) {
            case.place = Some(format!("{}:{line}", file.display()));
        }
        case.output = set.exercised.clone() + &warnings(log, Some(number));
        all.push(case);
    }
    if !log.unmet.is_empty() {
        let why = again(&log.unmet.join("\n"));
        all.push(case("expect", Verdict::Failed(why)));
    }
    match ran.outcome {
        None => all.push(case(ran.file, Verdict::Skipped)),
        Some(Err(stop)) if !has_failures || stop.code != 1 => {
            let message = stop.message.trim_end();
            let mut case = case(ran.file, Verdict::Error(again(message)));
            case.seconds = ran.seconds;
            all.push(case);
        }
        Some(Ok(_)) if all.is_empty() => {
            let mut case = case(ran.file, Verdict::Passed);
            case.seconds = ran.seconds;
            all.push(case);
        }
        Some(_) => {}
    }
    // Output about all data sets belongs to the last one.
    if let Some(last) = all.last_mut() {
        last.output.insert_str(0, &log.notes);
        last.output += &warnings(log, None);
        if let Some(Ok(said)) = ran.outcome {
            last.output += said;
        }
    }
    all
}

/// The warnings of a data set, or of all data, a line for each.
fn warnings(log: &Log, of: Option<usize>) -> String {
    let own = log.warnings.iter().filter(|(number, _)| *number == of);
    own.map(|(_, warning)| format!("{warning}\n")).collect()
}

impl Case<'_> {
    fn write(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\">",
            escaped(self.class),
            escaped(&self.name),
            self.seconds,
        );
        let mut element = |name: &str, kind: &str, why: &str| {
            let first = escaped(why.lines().next().unwrap_or_default());
            let at = self.place.iter().map(|place| format!("\nat {place}"));
            let at = escaped(&at.collect::<String>());
            let _ = writeln!(
                text,
                "      <{name} type=\"{kind}\" message=\"{first}\">{}{at}</{name}>",
                escaped(why)
            );
        };
        match &self.verdict {
            Verdict::Passed => {}
            Verdict::Skipped => text.push_str("      <skipped/>\n"),
            Verdict::Failed(why) => element("failure", "check", why),
            Verdict::Error(why) => element("error", "input", why),
        }
        let output = self.output.trim_end();
        if !output.is_empty() {
            let _ = writeln!(text, "      <system-out>{}</system-out>", escaped(output));
        }
        text.push_str("    </testcase>\n");
    }
}

/// Escapes a text for XML; characters that XML does not allow become question marks.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\n' | '\t' => shown.push(c),
            '\u{fffe}' | '\u{ffff}' => shown.push('?'),
            c if c.is_control() => shown.push('?'),
            c => shown.push(c),
        }
    }
    shown
}

/// Formats a time in UTC, such as `2024-02-29T12:34:56`.
fn timestamp(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}",
        seconds % 60
    )
}

/// Returns year, month and day, from the number of days since 1970-01-01.
///
/// Source: E. Richards, "Calendars", in Explanatory Supplement to the Astronomical Almanac, 2012, section 15.11.3.
fn date(days: u64) -> (u64, u64, u64) {
    let julian = days + 2_440_588;
    let f = julian + 1401 + (4 * julian + 274_277) / 146_097 * 3 / 4 - 38;
    let e = 4 * f + 3;
    let g = e % 1461 / 4;
    let h = 5 * g + 2;
    let day = h % 153 / 5 + 1;
    let month = (h / 153 + 2) % 12 + 1;
    (e / 1461 + (14 - month) / 12 - 4716, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00"),
            (951_827_696, "2000-02-29T12:34:56"),
            (1_709_164_799, "2024-02-28T23:59:59"),
            (4_107_542_400, "2100-03-01T00:00:00"),
        ] {
            let moment = UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            assert_eq!(timestamp(moment), expected);
        }
    }
}
