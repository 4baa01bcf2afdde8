//! Outcomes as JUnit XML, which servers of CI read: a case for each data set.
//!
//! Elements and attributes are those of Jenkins' xUnit plug-in, with `file` and `line` of a case, which GitLab, CircleCI and others read.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::outcomes::{Came, Log};
use crate::output::Stop;

/// A file that was run, or was to be.
pub(super) struct Ran<'a> {
    /// What it is called.
    pub(super) file: &'a str,
    /// Where it is found.
    pub(super) path: &'a Path,
    /// The seed, where the same file is run with several.
    pub(super) seed: Option<u64>,
    pub(super) seconds: f64,
    /// What was said of it; nothing where it was left out after a failure.
    pub(super) outcome: Option<Result<&'a str, &'a Stop>>,
    pub(super) log: &'a Log,
    /// The command that runs it alone.
    pub(super) again: Option<&'a str>,
}

/// A case of the file.
struct Case<'a> {
    class: &'a str,
    name: String,
    /// Where it stands, with the line if that is known.
    file: String,
    line: Option<usize>,
    seconds: f64,
    verdict: Verdict,
    output: String,
}

/// What is said of a case.
enum Verdict {
    Passed,
    Skipped,
    /// What is wrong: values, a deadlock, an assertion, what was expected.
    Failed(String),
    /// Why it was not run: what could not be read or compiled.
    Error(String),
}

/// The text of the file: one suite, in the order of the runs.
pub(super) fn text(suite: &str, started: SystemTime, seconds: f64, all: &[Ran<'_>]) -> String {
    let cases: Vec<Case<'_>> = all.iter().flat_map(cases).collect();
    let count = |is: fn(&Verdict) -> bool| cases.iter().filter(|case| is(&case.verdict)).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  \
         <testsuite name=\"{}\" timestamp=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">\n",
        escaped(suite),
        timestamp(started),
        cases.len(),
        count(|verdict| matches!(verdict, Verdict::Failed(_))),
        count(|verdict| matches!(verdict, Verdict::Error(_))),
        count(|verdict| matches!(verdict, Verdict::Skipped)),
    );
    for case in &cases {
        case.write(&mut text);
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// The cases of a file: its data sets, what was expected of all of them, and what kept them from being run.
fn cases<'a>(ran: &Ran<'a>) -> Vec<Case<'a>> {
    let log = ran.log;
    let own = ran.path.display().to_string();
    let case = |name: &str, verdict: Verdict| Case {
        class: ran.file,
        name: match ran.seed {
            Some(seed) => format!("{name} (seed {seed})"),
            None => name.to_owned(),
        },
        file: own.clone(),
        line: None,
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
    for set in &log.data_sets {
        let verdict = match &set.came {
            Came::Passed => Verdict::Passed,
            Came::Failed(why) => Verdict::Failed(again(why)),
            Came::Nothing if is_over => Verdict::Passed,
            Came::Nothing if has_failures => Verdict::Skipped,
            // What kept all from being run is a case of its own.
            Came::Nothing => continue,
        };
        let mut case = case(&set.name, verdict);
        case.seconds = set.seconds;
        if let (Some(file), Some(line)) = (&log.data_file, set.line) {
            case.file = file.display().to_string();
            case.line = Some(line);
        }
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
            if let Some((file, line)) = place(message) {
                (case.file, case.line) = (file.to_owned(), Some(line));
            }
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
    // What is said of all data sets stands at the last of them.
    if let Some(last) = all.last_mut() {
        last.output = log.notes.clone();
        if let Some(Ok(said)) = ran.outcome {
            last.output += said;
        }
    }
    all
}

/// The file and the line with which a message begins.
fn place(message: &str) -> Option<(&str, usize)> {
    let line = message.lines().find(|line| line.contains(": error: "))?;
    let (place, _) = line.split_once(": error: ")?;
    let (place, _column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

impl Case<'_> {
    fn write(&self, text: &mut String) {
        let _ = write!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"",
            escaped(self.class),
            escaped(&self.name),
            escaped(&self.file),
        );
        if let Some(line) = self.line {
            let _ = write!(text, " line=\"{line}\"");
        }
        let _ = writeln!(text, " time=\"{:.3}\">", self.seconds);
        let mut element = |name: &str, kind: &str, why: &str| {
            let first = escaped(why.lines().next().unwrap_or_default());
            let _ = writeln!(
                text,
                "      <{name} type=\"{kind}\" message=\"{first}\">{}</{name}>",
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

/// Text in XML; what it cannot hold becomes question marks.
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

/// A moment as `2024-02-29T12:34:56`, in UTC.
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

/// Year, month and day, so many days after the first of 1970.
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
