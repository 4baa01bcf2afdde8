//! The synthesis passes in their order, each with the reason for its position.

use sluice_bind::bind;
use sluice_config::{Style, Use};
use sluice_dialects::{func, sluice};
use sluice_ir::View;
use sluice_ir::passes::named;
use sluice_oplib::class::OperatorClass;
use sluice_schedule::kernel::schedule;
use sluice_search::costs::Costs;
use sluice_search::float_units;
use sluice_search::schedule_options::{division_cycles, schedule_options};
use sluice_search::setting::{MERGE_EQUAL_NETS, OUTLINE, Order, Run, Step};
use sluice_transform::{Expansion, FUNCTIONS, StructuredLoops, check_expansion};

/// The first pass that may bring floats into another order, in unrolled loops.
pub const BALANCE: &str = "balance";

/// The pass that brings floats into another order where it is free: a kernel whose sums are in another order is compared from here on.
pub const REASSOCIATE: &str = "reassociate";

/// Every pass, in order.
pub const PASSES: &[Step] = &[
    Step {
        name: "lower-linalg",
        reason: "everything later sees loops, which directives name",
        run: Run::Where(
            sluice_transform::has_structured,
            &Run::Bodies(|_, context, body, found| {
                sluice_transform::lower_linalg(context, body, StructuredLoops::Affine, found);
            }),
        ),
    },
    Step {
        name: "directives",
        reason: "loops are found by the names of the source, so before anything moves",
        run: Run::Module(|setting, context, module, found| {
            crate::directives::attach(context, module, setting.config, setting.top, found)
        }),
    },
    Step {
        name: "inline-callees",
        reason: "everything later sees one function, unless the user keeps callees apart",
        run: Run::Module(|setting, context, module, found| {
            check_expansion(context, module, FUNCTIONS, found);
            if !found.has_errors() {
                sluice_transform::inline(context, module, setting.top);
            }
        }),
    },
    Step {
        name: "normalise",
        reason: "fewer forms for all that follows",
        run: Run::Bodies(|_, context, body, found| {
            sluice_transform::normalise(context, body, found)
        }),
    },
    Step {
        name: "expand-meanings",
        reason: "everything later sees operations of arith in place of those of other people's dialects",
        run: Run::Where(
            sluice_transform::has_meanings,
            &Run::Bodies(|_, context, body, _| sluice_transform::expand_meanings(context, body)),
        ),
    },
    Step {
        name: "legality",
        reason: "only what is compiled is judged, and sizes that were dynamic in a callee are known",
        run: Run::Module(|_, context, module, found| {
            sluice_transform::check_legality(context, module, found)
        }),
    },
    Step {
        name: "float-words",
        reason: "floats are judged; everything later sees integers of their bits, and float operations with a meaning",
        run: Run::Where(
            sluice_transform::has_floats,
            &Run::Module(|setting, context, module, _| {
                sluice_transform::float_words(context, module, setting.config.reassociate_floats)
            }),
        ),
    },
    Step {
        name: "affine-to-scf",
        reason: "one way to write loops and addresses; dependence analysis reads linear forms of both",
        run: Run::Bodies(|_, context, body, found| {
            sluice_transform::lower_affine(context, body, found)
        }),
    },
    Step {
        name: "mem2reg",
        reason: "loops and conditionals have one form; what counts in a cell is a counter from here on",
        run: Run::Bodies(|_, context, body, _| sluice_transform::mem2reg(context, body)),
    },
    Step {
        name: "uplift-while-to-for",
        reason: "counters that were memory cells are carried values now, so loops with constant steps are recognised from here on",
        run: Run::Bodies(|_, context, body, _| sluice_transform::uplift_while(context, body)),
    },
    Step {
        name: "widen-addresses",
        reason: "how far counters go is known, and all that follows reads subscripts as sums of `index`",
        run: Run::Bodies(|_, context, body, _| sluice_transform::widen_addresses(context, body)),
    },
    Step {
        name: OUTLINE,
        reason: "loops have one form; what a schedule runs has all passes of a schedule still in front of it",
        run: Run::Module(sluice_search::callees::outline),
    },
    Step {
        name: "check-bounds",
        reason: "all accesses have their own dimensions still, and one form",
        run: Run::Bodies(|_, context, body, found| {
            sluice_transform::check_bounds(context, body, found)
        }),
    },
    Step {
        name: "restructure",
        reason: "subscripts still have a form for each dimension, and what is unrolled is a loop of the new nest",
        run: Run::Bodies(|_, context, body, found| {
            sluice_transform::restructure(context, body, found)
        }),
    },
    Step {
        name: "jam",
        reason: "inner loops are fused while they are in their source order, and unrolled after that",
        run: Run::Bodies(|_, context, body, found| sluice_transform::jam(context, body, found)),
    },
    Step {
        name: "unroll",
        reason: "copies of a body are optimised like everything else",
        run: Run::Bodies(|_, context, body, found| sluice_transform::unroll(context, body, found)),
    },
    Step {
        name: "bank",
        reason: "copies of a body are there, whose accesses have one bank each, and arrays have their dimensions still",
        run: Run::Module(|_, context, module, found| {
            sluice_transform::bank(context, module, found)
        }),
    },
    Step {
        name: "flatten-memrefs",
        reason: "addresses become one number before they are analysed",
        run: Run::Module(|_, context, module, found| {
            sluice_transform::flatten_memrefs(context, module, found)
        }),
    },
    Step {
        name: "storage",
        reason: "memories have one dimension and their final number of words, and calls that stay are known",
        run: Run::Module(|setting, context, module, found| {
            let target = (setting.device, setting.clock_period_ns);
            let streams = &setting.config.streams;
            crate::storage::check(context, module, target, streams, found)
        }),
    },
    Step {
        name: "canonicalise",
        reason: "constants are where the next passes look for them",
        run: Run::Bodies(|_, context, body, _| sluice_transform::canonicalise(context, body)),
    },
    Step {
        name: "expand",
        reason: "divisions by constants become shifts while the ranges of loops are at hand",
        run: Run::Bodies(|_, context, body, _| sluice_transform::expand(context, body)),
    },
    Step {
        name: "licm",
        reason: "a cell must have an invariant address to be promoted",
        run: Run::Bodies(|_, context, body, _| sluice_transform::licm(context, body)),
    },
    Step {
        name: "merge-branches",
        reason: "an access that both branches make is one access, before predicates hide that they are the same",
        run: Run::Bodies(|_, context, body, _| sluice_transform::merge_branches(context, body)),
    },
    Step {
        name: "forward",
        reason: "a load after a store needs no port",
        run: Run::Bodies(|_, context, body, _| sluice_transform::forward(context, body)),
    },
    Step {
        name: "promote",
        reason: "accumulators leave the memory before the loop is scheduled",
        run: Run::Bodies(|_, context, body, _| sluice_transform::promote(context, body)),
    },
    Step {
        name: "factor",
        reason: "sums are carried values now, and what is invariant moves out with the next licm",
        run: Run::Bodies(|_, context, body, _| sluice_transform::factor(context, body)),
    },
    Step {
        name: "if-convert",
        reason: "a loop with a conditional inside is pipelined only without it",
        run: Run::Bodies(|_, context, body, _| sluice_transform::if_convert(context, body)),
    },
    Step {
        name: "licm",
        reason: "selects and promoted memory cells left invariant operations",
        run: Run::Bodies(|_, context, body, _| sluice_transform::licm(context, body)),
    },
    Step {
        name: "forward",
        reason: "promotion placed loads after stores of the same memory cell",
        run: Run::Bodies(|_, context, body, _| sluice_transform::forward(context, body)),
    },
    Step {
        name: "canonicalise",
        reason: "what is dead would only cost ports and dependences",
        run: Run::Bodies(|_, context, body, _| sluice_transform::canonicalise(context, body)),
    },
    Step {
        name: PREDICT,
        reason: "conditionals are choices, and how an index goes on is seen; dependences are not known yet",
        run: Run::Bodies(|setting, context, body, _| {
            if setting.config.predict == Use::Everywhere {
                sluice_transform::predict(context, body);
            }
        }),
    },
    Step {
        name: "first-values",
        reason: "cells that are carried values now are out of the way, and a loop less is left to schedule",
        run: Run::Bodies(|_, context, body, _| sluice_transform::first_values(context, body)),
    },
    Step {
        name: BALANCE,
        reason: "sums of all copies are carried values or are between a load and a store, and nothing shortens them further",
        run: Run::Bodies(|_, context, body, _| sluice_transform::balance(context, body)),
    },
    Step {
        name: REASSOCIATE,
        reason: "copies of a directive are one sum, and loops are still what the source has",
        run: Run::Where(
            sluice_transform::has_free_order,
            &Run::Bodies(|setting, context, body, _| {
                if setting.config.style == Style::Static {
                    let units = |view: View<'_>| {
                        let class = sluice::float_class(view)?;
                        Some(sluice_transform::Unit {
                            turn_cycles: float_units::turn_cycles(context, setting, view)?,
                            limit: setting.config.limits.get(&class).copied(),
                        })
                    };
                    sluice_transform::reassociate(context, body, &units);
                }
            }),
        ),
    },
    Step {
        name: "canonicalise",
        reason: "copies of the body of a loop that accumulates floats have subscripts with constants",
        run: Run::Where(
            sluice_transform::has_free_order,
            &Run::Bodies(|_, context, body, _| sluice_transform::canonicalise(context, body)),
        ),
    },
    Step {
        name: "reuse",
        reason: "bodies are final, and loops are still what the source has",
        run: Run::Bodies(|setting, context, body, found| {
            sluice_transform::reuse(context, body, setting.copy_sizes(), found);
        }),
    },
    Step {
        name: "coalesce",
        reason: "a copy saves ports, and addresses are linear in counters for the last time",
        run: Run::Bodies(|setting, context, body, found| {
            let apart = if setting.config.flatten && !setting.config.nests_apart {
                let division_cycles = |width_bits: u32| division_cycles(setting, width_bits);
                let units = sluice_transform::Units {
                    limits: &setting.config.limits,
                    division_cycles: &division_cycles,
                    // Tokens overlap such nests without a flat loop.
                    runtime_bounds: setting.config.style == Style::Static,
                };
                sluice_transform::coalesce(context, body, &units)
            } else {
                crate::directives::wished_in_vain(context, body)
            };
            if !setting.is_trial {
                crate::directives::warn_of_apart(&apart, found);
            }
        }),
    },
    Step {
        name: "annotate",
        reason: "dependences need addresses as `index` arithmetic, which narrowing takes away",
        run: Run::Module(|_, context, module, _| {
            for op in named(context, module, func::Func::NAME) {
                let dependences =
                    sluice_transform::annotate(context, module.inner_mut().inner_mut(op));
                let name = context.name(sluice::DEPENDENCES);
                module.inner_mut().set_attribute(op, name, dependences);
            }
        }),
    },
    Step {
        name: "share-accesses",
        reason: "dependences are known, and conditions are what they were made of",
        run: Run::Bodies(|_, context, body, _| sluice_transform::share_accesses(context, body)),
    },
    Step {
        name: "bypass",
        reason: "dependences are known, and widths are not final",
        run: Run::Bodies(|_, context, body, _| sluice_transform::bypass(context, body)),
    },
    Step {
        name: "free-guards",
        reason: "loads under conditions are final, and the choices that look at them are as they were converted",
        run: Run::Bodies(|_, context, body, _| sluice_transform::free_guards(context, body)),
    },
    Step {
        name: "expand-floats",
        reason: "loops and memories are final, and widths of what floats consist of are not known yet",
        run: Run::Where(
            sluice_transform::has_float_operations,
            &Run::Bodies(|setting, context, body, _| {
                let expansion = match setting.config.style {
                    Style::Static => Expansion::Small,
                    Style::Elastic | Style::Auto => Expansion::All,
                };
                sluice_transform::expand_floats(context, body, expansion);
                sluice_transform::keep_units_whole(context, body, &setting.config.limits);
            }),
        ),
    },
    Step {
        name: "narrow",
        reason: "costs and rewrites depend on widths",
        run: Run::Module(|_, context, module, _| {
            for op in named(context, module, func::Func::NAME) {
                sluice_transform::narrow(context, module.inner_mut().inner_mut(op));
            }
            crate::tidy::interface_types(context, module);
        }),
    },
    Step {
        name: "tidy",
        reason: "narrowing leaves extensions of truncations",
        run: Run::Bodies(|_, context, body, _| crate::tidy::tidy(context, body)),
    },
    Step {
        name: "speculate",
        reason: "widths are those of iterations that count; values of the other iterations may wrap, and dependences are between iterations",
        run: Run::Module(|setting, context, module, found| {
            sluice_search::speculation::speculate(context, module, setting, found);
        }),
    },
    Step {
        name: "rewrite",
        reason: "data paths are final in width, and the schedule profits from what gets shorter",
        run: Run::Bodies(|setting, context, body, _| {
            if setting.config.rewrite && !setting.is_sketch {
                let model = Costs::new(setting.device, setting.clock_period_ns);
                let mut options = sluice_rewrite::RewriteOptions::default();
                if setting.is_trial {
                    options.iteration_limit = TRIAL_ITERATIONS;
                    options.pass_limit = TRIAL_PASSES;
                    options.kept_operations = TRIAL_KEPT_OPERATIONS;
                }
                sluice_rewrite::rewrite(context, body, &model, &options, &setting.rewrites);
            }
        }),
    },
    Step {
        name: "tidy",
        reason: "rewriting leaves dead operations",
        run: Run::Bodies(|_, context, body, _| crate::tidy::tidy(context, body)),
    },
    Step {
        name: "split",
        reason: "rewriting is over, which makes one operation of a comparison and a choice, and of pieces",
        run: Run::Module(sluice_search::wide::split),
    },
    Step {
        name: "hoist-from-guards",
        reason: "narrowing put conversions beside predicated accesses, where nothing is scheduled",
        run: Run::Bodies(|_, context, body, _| {
            sluice_transform::hoist_from_guards(context, body);
        }),
    },
    Step {
        name: "factors",
        reason: "widths are final, and operands are extended by operations that nothing hides yet",
        run: Run::Bodies(|setting, context, body, _| {
            let block_bits = setting.device.mapping.multiplier_bits;
            let class = OperatorClass::Multiply.name();
            let limited = setting.config.limits.contains_key(class);
            sluice_transform::factors(context, body, block_bits, limited);
        }),
    },
    Step {
        name: "copies",
        reason: "last, since a copy looks like nothing to every other pass",
        run: Run::Bodies(|setting, context, body, _| {
            let (device, period_ns) = (setting.device, setting.clock_period_ns);
            let usable_ns = device.usable_period_ns(setting.paths.path_ns);
            // The scheduler reports operators that are too slow on their own.
            let fits = |class: OperatorClass, width_bits: u32| {
                let Ok(way) = device.implementation(class, width_bits, period_ns) else {
                    return true;
                };
                let choice_ns = device.choice_delay_ns(width_bits);
                class.is_worth_sharing() || way.input_delay_ns + choice_ns <= usable_ns
            };
            sluice_transform::copies(context, body, &fits);
        }),
    },
];

/// From the synthesis form to the scheduled form.
pub const SCHEDULE: &[Step] = &[Step {
    name: "schedule",
    reason: "every operation gets a start time, every loop an initiation interval with a certificate",
    run: Run::Module(|setting, context, module, found| {
        let mut options = schedule_options(setting);
        options.float_units = float_units::timings(context, module, setting);
        if let Err(errors) = schedule(context, module, setting.device, &options) {
            found.append(errors);
        }
    }),
}];

/// Iterations of rewriting before a trial schedule: the rewrites that shorten a recurrence come first.
const TRIAL_ITERATIONS: usize = 3;

/// Number of times that the rewriting of a trial schedule restarts.
const TRIAL_PASSES: usize = 1;

/// Maximum operations of a block at which a trial schedule keeps recurrences separate: larger blocks take more time.
const TRIAL_KEPT_OPERATIONS: usize = 80;

/// Passes before the synthesis form of a dataflow graph.
pub const STRUCTURE: &[Step] = &[Step {
    name: "lift-cf-to-scf",
    reason: "domains are those of conditionals and loops, and callees of one block can be inlined",
    run: Run::Bodies(|_, context, body, found| {
        sluice_transform::lift_cf_to_scf(context, body, found);
    }),
}];

const TIDY_CIRCUIT: Step = Step {
    name: "tidy-circuit",
    reason: "binding leaves wires that nothing reads",
    run: Run::Module(|_, context, module, _| crate::tidy::tidy_circuit(context, module)),
};

/// The pass that runs loops at every value of an index.
pub(crate) const PREDICT: &str = "predict";

/// The pass that decides which stores go through a load-store queue.
pub(crate) const QUEUE_STORES: &str = "queue-stores";

/// From the synthesis form to a dataflow graph.
pub const GRAPH: &[Step] = &[
    Step {
        name: "outline-operations",
        reason: "nothing looks into loops that operations became any more, and their values go around in no tokens",
        run: Run::Module(|setting, context, module, found| {
            sluice_transform::outline(context, module, setting.top, found);
        }),
    },
    Step {
        name: "schedule-callees",
        reason: "a call that stays is one of a circuit with ports; what it is called with is final",
        run: Run::Module(sluice_search::callees::schedule_callees),
    },
    Step {
        name: "streams",
        reason: "accesses are final: what is left of them is in order or not",
        run: Run::Module(|setting, context, module, found| {
            let wishes = sluice_transform::StreamRequests {
                streams: &setting.config.streams,
                queues: setting.config.queues,
                depths: &setting.config.depths,
            };
            sluice_transform::streams(context, module, setting.top, &wishes, found);
        }),
    },
    Step {
        name: QUEUE_STORES,
        reason: "dependences are final: lowering to tokens asks which stores others need not wait for",
        run: Run::Module(|setting, context, module, _| {
            if setting.config.lsq == Use::Everywhere {
                sluice_elastic::queue_stores(context, module);
            }
        }),
    },
    Step {
        name: "lower-to-handshake",
        reason: "tokens go straight from producer to consumer",
        run: Run::Module(|_, context, module, found| {
            sluice_elastic::lower_to_handshake(context, module, found);
        }),
    },
    Step {
        name: "share-units",
        reason: "all operations are there, and buffers are placed for the units that they have",
        run: Run::Module(|setting, context, module, _| {
            let (device, period_ns) = (setting.device, setting.clock_period_ns);
            let limits = &setting.config.limits;
            sluice_elastic::share_units(context, module, device, period_ns, limits);
        }),
    },
];

/// From dataflow graphs that are the input to graphs as lowering makes them.
pub const GIVEN_GRAPH: &[Step] = &[
    Step {
        name: "inline-instances",
        reason: "a cycle may go through an instance, and buffers are placed for whole cycles",
        run: Run::Module(|_, context, module, found| {
            if let Err(errors) = sluice_elastic::inline_instances(context, module) {
                found.append(errors);
            }
        }),
    },
    Step {
        name: "simplify-graphs",
        reason: "whole cycles are there, and a value has all its uses: forks follow",
        run: Run::Module(|setting, context, module, found| {
            let keep_buffers = setting.config.keep_buffers;
            sluice_elastic::simplify_graphs(context, module, keep_buffers, found);
        }),
    },
    Step {
        name: "narrow-graphs",
        reason: "constants are where they are used, and what a condition says of a channel holds for all its uses",
        run: Run::Module(|_, context, module, _| crate::tidy::narrow_graphs(context, module)),
    },
    Step {
        name: "materialise",
        reason: "a channel has one use for all that follows, forks and sinks included",
        run: Run::Module(|_, context, module, _| sluice_elastic::materialise(context, module)),
    },
];

/// Buffer placement in a dataflow graph.
pub const PLACING: &[Step] = &[Step {
    name: "place-buffers",
    reason: "all channels are there, and their order of latencies is final",
    run: Run::Module(|setting, context, module, found| {
        let target = setting.target();
        let placed = sluice_search::exact_buffers::place_buffers(context, module, &target, setting);
        sluice_search::exact_buffers::note(context, module, &placed, found);
    }),
}];

/// Proofs about a dataflow graph.
pub const PROOF: &[Step] = &[Step {
    name: "prove-deadlock-freedom",
    reason: "buffers are placed: nothing changes any more what waits for what",
    run: Run::Module(|_, context, module, found| {
        sluice_elastic::prove_deadlock_freedom(context, module, found);
    }),
}];

/// From a dataflow graph to circuits.
pub const CIRCUIT: &[Step] = &[
    Step {
        name: "handshake-to-hw",
        reason: "channels become nets, and what waits for tokens becomes registers",
        run: Run::Module(|setting, context, module, found| {
            match sluice_elastic::circuits(context, module) {
                Ok(circuit) => {
                    let limits = &setting.config.limits;
                    crate::unit_count::compare(context, &circuit, limits, found);
                    *module = circuit;
                }
                Err(errors) => found.append(errors),
            }
        }),
    },
    Step {
        name: MERGE_EQUAL_NETS,
        reason: "channels that always wait together need one `valid` and one `ready`, and a slot that is never used none",
        run: Run::Module(|setting, context, module, _| {
            let (follow, evidence) = (&sluice_elastic::SIGNALS, setting.evidence);
            let proved = &setting.proved;
            sluice_sequential::merge_equal_nets(context, module, follow, evidence, proved);
        }),
    },
    TIDY_CIRCUIT,
];

/// From circuits that are the input to circuits of `hw`, `comb` and `seq` for simulation and printing.
pub const GIVEN_CIRCUIT: &[Step] = &[
    Step {
        name: "lower-arcs",
        reason: "what is simulated and printed are circuits of hw, comb and seq",
        run: Run::Module(|_, context, module, found| {
            if let Err(errors) = sluice_transform::lower_arcs(context, module) {
                found.append(errors);
            }
        }),
    },
    Step {
        name: "specialise-modules",
        reason: "registers, arrays and ports are of types whose parameters are known",
        run: Run::Module(|_, context, module, _| {
            sluice_transform::specialise_modules(context, module, None);
        }),
    },
    Step {
        name: "flatten-modules",
        reason: "ports may depend on one another bit by bit, and an instance is in a combinational loop as a whole",
        run: Run::Module(|_, context, module, _| {
            sluice_transform::flatten_modules(context, module);
        }),
    },
    Step {
        name: "split-values",
        reason: "a value whose parts depend on one another is in a combinational loop as a whole, and its parts are not",
        run: Run::Module(|_, context, module, _| sluice_transform::split_values(context, module)),
    },
];

/// From the scheduled form to circuits.
pub const BIND: &[Step] = &[
    Step {
        name: "float-units",
        reason: "schedules and reports have float operations whole; binding needs the circuits of their units",
        run: Run::Where(
            sluice_transform::has_float_operations,
            &Run::Module(|setting, context, module, _| float_units::add(context, module, setting)),
        ),
    },
    Step {
        name: "bind",
        reason: "frames, registers, units and ports for what the schedule promises",
        run: Run::Module(
            |setting, context, module, found| match bind(context, module) {
                Ok((circuit, _)) => {
                    let limits = &setting.config.limits;
                    crate::unit_count::compare(context, &circuit, limits, found);
                    *module = circuit;
                }
                Err(error) => {
                    found.error(error.location, error.message);
                }
            },
        ),
    },
    TIDY_CIRCUIT,
];

/// The tables of passes, for the choices that run parts of them.
pub static ORDER: Order = Order {
    structure: STRUCTURE,
    passes: PASSES,
    schedule: SCHEDULE,
    bind: BIND,
    graph: GRAPH,
    placing: PLACING,
    proof: PROOF,
    circuit: CIRCUIT,
};
