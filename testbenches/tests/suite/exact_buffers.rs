//! Elastic circuits whose buffers are placed by a linear program agree with the interpreter, and the report tells what was
//! proved.

use std::fs;
use std::path::Path;

use sluice_config::{Buffers, Config, Style};
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_kernel::compiled::Failure;
use sluice_testbenches::token_check::compare;
use sluice_verify::check::{difference, interpret};

use crate::elastic_graphs::shipped;

/// Cycles in which circuit and graph are compared.
const MAX_COMPARED: u64 = 300;

/// Kernels with a loop, nested loops, a conditional in a loop, queued stores.
const KERNELS: &[&str] = &["gcd", "peers/gcd_subtractive"];

/// Kernels whose linear program microlp does not solve within the time of the test.
const LARGE_KERNELS: &[&str] = &[
    "crc32",
    "irregular/collatz",
    "irregular/linked_list",
    "irregular/rc4",
];

#[test]
fn circuits_with_buffers_by_a_linear_program_agree_with_the_interpreter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = root.parent().expect("the workspace").join("examples");
    let large = LARGE_KERNELS.iter().filter(|_| cfg!(feature = "highs"));
    for name in KERNELS.iter().chain(large) {
        let folder = examples.join(name);
        let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
        let config = Config {
            style: Style::Elastic,
            buffers: Buffers::Exact,
            solver_time_limit_s: Some(2.0),
            profile: fs::read_to_string(folder.join("data.yaml")).ok(),
            ..Config::default()
        };
        let compiled = compile(&source, "kernel.mlir", &config);
        let compiled = compiled.unwrap_or_else(|why| match why {
            Failure::Input(message) | Failure::Internal(message) => panic!("{name}: {message}"),
        });
        let context = &compiled.context;
        let function = compiled.scheduled.lookup_symbol(context, &compiled.top);
        let function = View::new(
            context,
            compiled.scheduled.inner(),
            function.expect("the kernel"),
        );
        let choices = function.attribute("sluice.choices");
        let choices = choices.and_then(|all| all.as_array(context));
        let mut said = choices.unwrap_or_default().iter();
        let is_said = said.any(|text| {
            let text = text.as_str(context);
            text.is_some_and(|text| text.starts_with("buffers: by a linear program"))
        });
        assert!(
            is_said,
            "{name}: buffers were not placed by a linear program"
        );
        assert!(
            function.attribute("sluice.deadlock_free").is_some(),
            "{name}: not proved to come to its end"
        );
        let data = shipped(&folder, &compiled).expect("data");
        for case in data.cases.iter().take(2) {
            let expected = interpret(&compiled, case).expect("a meaning");
            let found = compare(&compiled, case, MAX_COMPARED);
            let found = found.unwrap_or_else(|why| panic!("{name}: {why}")).outcome;
            let wrong = difference(&compiled, &expected, &found.results, &found.memories);
            assert_eq!(wrong, None, "{name}");
        }
    }
}
