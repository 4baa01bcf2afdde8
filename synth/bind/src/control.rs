//! Controllers for compound operations (loops, conditionals and calls) around frames.

use sluice_dialects::{arith, func, predicate::Predicate, scf, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Exact, ValueId, View};
use sluice_netlist::circuit::RegisterOptions;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::{number, value_name};

use crate::frame::FrameId;
use crate::function::FunctionBinder;
use crate::scheduled::{holds_compound, required, start};
use crate::values::Definition;

impl<'a> FunctionBinder<'a, '_> {
    /// Lowers a compound operation and connects the signal on which its frame continues.
    pub(crate) fn lower_compound(&mut self, view: View<'a>, frame: FrameId) -> Built<()> {
        let time = start(view)?;
        let leave = match view.name() {
            scf::For::NAME => self.lower_for(view, frame, time)?,
            scf::While::NAME => self.lower_while(view, frame, time)?,
            scf::If::NAME => self.lower_if(view, frame, time)?,
            func::Call::NAME => self.lower_call(view, frame, time)?,
            _ => return Err(broken(view, "no controller for this operation")),
        };
        let wire = self.values.frames[frame.0].stretches.insert(time, leave);
        let wire = wire.ok_or_else(|| broken(view, "a frame knows its compound operations"))?;
        self.circuit.connect(wire, leave);
        Ok(())
    }

    fn entry(&self, view: View<'a>, region: usize) -> Built<BlockId> {
        view.entry_block(region)
            .ok_or_else(|| broken(view, "a region has a block here"))
    }

    fn lower_for(&mut self, view: View<'a>, parent: FrameId, time: u32) -> Built<ValueId> {
        let body = self.entry(view, 0)?;
        let arguments = self.source.arguments(body).to_vec();
        let name = value_name(view, arguments[0]);
        let pipelined = number(view, sluice::II);
        let depth = required(view, sluice::DEPTH)?;
        if pipelined.is_none() != holds_compound(view, body) && pipelined.is_some() {
            return Err(broken(
                view,
                "a loop around a compound operation is sequential",
            ));
        }
        let frame = self.open_frame(
            &format!("{name}_loop"),
            Some((parent, time)),
            pipelined,
            &[body],
        )?;

        let go = self.token(parent, time);
        let lower = self.read(view, view.operand(0), parent, time)?;
        let upper = self.read(view, view.operand(1), parent, time)?;
        let step = self.read(view, view.operand(2), parent, time)?;
        let trip_count = view
            .attribute(sluice::TRIP_COUNT)
            .and_then(|a| a.as_exact(self.context));
        let enter = match trip_count {
            Some(Exact::ZERO) => self.circuit.flag(false),
            Some(_) => go,
            None => {
                let some = self.circuit.compare(Predicate::Slt, lower, upper);
                self.circuit.and(go, some)
            }
        };

        // The induction variable is stable from the start of an iteration until the next one is issued.
        let width = self.circuit.width(lower);
        let decide = pipelined.map(|ii| ii - 1);
        let advance = match decide {
            Some(t) => self.token(frame, t),
            None => self.source_of_token(frame, depth),
        };
        let variable_wire = self.circuit.wire(width);
        let limit = self.bound_register(view, upper, go, "bound");
        let stride = self.bound_register(view, step, go, "step");
        let next = self.circuit.comb("add", &[variable_wire, stride]);
        let last = self.is_last(view, variable_wire, limit, stride, next, trip_count)?;
        let data = self.circuit.mux(go, lower, next);
        let enable = self.circuit.any(&[go, advance]);
        let variable = self.circuit.register(
            data,
            RegisterOptions {
                enable: Some(enable),
                reset: None,
                preset: None,
                name: &name,
            },
        );
        self.circuit.connect(variable_wire, variable);
        let place = match pipelined {
            Some(ii) => Definition::Timed {
                frame,
                first: 0,
                last: ii - 1,
            },
            None => Definition::Held(variable),
        };
        self.values.define(arguments[0], place);
        if pipelined.is_some() {
            self.values.drive(&mut self.circuit, arguments[0], variable);
        }

        let not_last = self.circuit.not(last);
        let again = self.circuit.and(advance, not_last);
        let issue = self.circuit.any(&[enter, again]);
        self.values.frames[frame.0].first_entry = Some(enter);
        self.values.frames[frame.0].steady_depth = pipelined.map(|_| depth);
        self.connect_entry(frame, issue);

        let inits: Vec<_> = view.operands().skip(3).collect();
        let yields = self.passed_on(view, body);
        let may_skip = trip_count.is_none_or(Exact::is_zero);
        let finished = self.circuit.and(advance, last);
        match pipelined {
            Some(ii) => {
                for ((argument, init), yielded) in arguments[1..].iter().zip(&inits).zip(&yields) {
                    self.values.initialise(*init, *yielded);
                    self.values.define(
                        *argument,
                        Definition::Carried {
                            frame,
                            init: *init,
                            yielded: *yielded,
                        },
                    );
                }
                self.lower_block(body, frame, None)?;
                self.results_of_pipeline(
                    view,
                    (parent, time),
                    frame,
                    &inits,
                    &yields,
                    may_skip.then_some(go),
                )?;
                let leave = match self.values.frames[frame.0].drained(&mut self.circuit) {
                    Some(drained) => drained,
                    None => self.delay(finished, depth - ii, &format!("{name}_leave")),
                };
                Ok(self.skip_or(leave, go, enter))
            }
            None => {
                let carried =
                    self.hold_arguments(view, (parent, time), go, &inits, &arguments[1..])?;
                self.lower_block(body, frame, None)?;
                for ((wire, enable_wire), yielded) in carried.into_iter().zip(&yields) {
                    let data = self.read_passed_on(view, *yielded, frame, depth)?;
                    self.circuit.connect(wire, data);
                    self.circuit.connect(enable_wire, advance);
                }
                for (result, argument) in view.results().iter().zip(&arguments[1..]) {
                    let held = self.values.definition(view, *argument)?.clone();
                    self.values.define(*result, held);
                }
                Ok(self.skip_or(finished, go, enter))
            }
        }
    }

    /// Returns `leave`, combined with the cycle of `go` in which the loop is not entered.
    fn skip_or(&mut self, leave: ValueId, go: ValueId, enter: ValueId) -> ValueId {
        if go == enter {
            return leave;
        }
        let not_entered = self.circuit.not(enter);
        let skip = self.circuit.and(go, not_entered);
        self.circuit.any(&[leave, skip])
    }

    /// Returns the register of a loop bound, stable from `go` on; a constant needs no register.
    fn bound_register(
        &mut self,
        view: View<'a>,
        bound: ValueId,
        go: ValueId,
        name: &str,
    ) -> ValueId {
        self.circuit.location = view.location();
        if self.circuit.constant_of(bound).is_some() {
            return bound;
        }
        self.capture(bound, go, name)
    }

    /// Returns true in the circuit if the iteration of `variable` is the last one.
    fn is_last(
        &mut self,
        view: View<'a>,
        variable: ValueId,
        limit: ValueId,
        stride: ValueId,
        next: ValueId,
        trip_count: Option<Exact>,
    ) -> Built<ValueId> {
        let constant = |value: ValueId| self.circuit.constant_of(value).cloned();
        let lower = self
            .source
            .defining_operation(view.operand(0))
            .map(|op| self.view(op));
        let lower = lower.filter(|v| v.name() == arith::Constant::NAME);
        let lower = lower
            .and_then(|v| v.attribute("value"))
            .and_then(|a| a.integer(self.context))
            .cloned();
        let width = self.circuit.width(variable);
        if let (Some(n), Some(lower), Some(stride)) = (trip_count, lower, constant(stride)) {
            // Equality with the last value is cheaper than an order comparison.
            let steps = n.minus(1).max(Exact::ZERO).times(Exact::signed(&stride));
            let last = steps.plus(Exact::signed(&lower)).wrapped(width);
            let last = last.ok_or_else(|| broken(view, "a counter has few bits"))?;
            let last = self.circuit.constant(last);
            return Ok(self.circuit.compare(Predicate::Eq, variable, last));
        }
        // One bit more, so that the sum does not wrap.
        let next = if constant(stride).is_some_and(|s| s.is_one()) && constant(limit).is_some() {
            next
        } else {
            let wide_variable = self.circuit.sext(variable, width + 1);
            let wide_stride = self.circuit.sext(stride, width + 1);
            self.circuit.comb("add", &[wide_variable, wide_stride])
        };
        let limit = self
            .circuit
            .width(next)
            .checked_sub(width)
            .map_or(limit, |_| {
                let wide = self.circuit.width(next);
                self.circuit.sext(limit, wide)
            });
        Ok(self.circuit.compare(Predicate::Sge, next, limit))
    }

    /// Builds registers for the arguments of a sequential loop: loaded on `go`, and again on an enable that is connected later.
    ///
    /// Returns placeholders for the data of the later loads and for their enable.
    fn hold_arguments(
        &mut self,
        view: View<'a>,
        (parent, time): (FrameId, u32),
        go: ValueId,
        inits: &[ValueId],
        arguments: &[ValueId],
    ) -> Built<Vec<(ValueId, ValueId)>> {
        let mut stand_ins = Vec::new();
        for (init, argument) in inits.iter().zip(arguments) {
            let init = self.read(view, *init, parent, time)?;
            let width = self.width(view, *argument)?;
            let (again, enable_again) = (self.circuit.wire(width), self.circuit.wire(1));
            let data = self.circuit.mux(go, init, again);
            let enable = self.circuit.comb("or", &[go, enable_again]);
            let name = value_name(view, *argument);
            let held = self.capture(data, enable, &name);
            self.values.define(*argument, Definition::Held(held));
            stand_ins.push((again, enable_again));
        }
        Ok(stand_ins)
    }

    /// Defines the results of a pipelined loop: registers hold the values that the last iteration yielded.
    fn results_of_pipeline(
        &mut self,
        view: View<'a>,
        (parent, time): (FrameId, u32),
        frame: FrameId,
        inits: &[ValueId],
        yields: &[ValueId],
        skipped: Option<ValueId>,
    ) -> Built<()> {
        for ((result, yielded), init) in view.results().iter().zip(yields).zip(inits) {
            if self.source.is_unused(*result) {
                continue;
            }
            let definition = self.values.definition(view, *yielded)?.clone();
            let held = match definition {
                Definition::Timed {
                    frame: home, last, ..
                } if home == frame => match skipped {
                    None => self.values.hold(&mut self.circuit, view, *yielded)?,
                    Some(go) => {
                        let init = self.read(view, *init, parent, time)?;
                        let data = self.read(view, *yielded, frame, last)?;
                        let token = self.token(frame, last);
                        let data = self.circuit.mux(go, init, data);
                        let enable = self.circuit.any(&[go, token]);
                        let name = value_name(view, *result);
                        self.capture(data, enable, &name)
                    }
                },
                _ => return Err(broken(view, "a pipelined loop yields values of its body")),
            };
            self.values.define(*result, Definition::Held(held));
        }
        Ok(())
    }

    /// Delays a bit by `cycles`.
    fn delay(&mut self, bit: ValueId, cycles: u32, name: &str) -> ValueId {
        (0..cycles).fold(bit, |data, _| {
            self.circuit.register(
                data,
                RegisterOptions {
                    enable: None,
                    reset: Some(Bits::zero(1)),
                    preset: None,
                    name,
                },
            )
        })
    }

    fn connect_entry(&mut self, frame: FrameId, entry: ValueId) {
        self.values.frames[frame.0].connect_entry(&mut self.circuit, entry);
    }

    fn lower_while(&mut self, view: View<'a>, parent: FrameId, time: u32) -> Built<ValueId> {
        let (before, after) = (self.entry(view, 0)?, self.entry(view, 1)?);
        let go = self.token(parent, time);
        let inits: Vec<_> = view.operands().collect();
        let condition_operands = self.passed_on(view, before);
        let (condition, forwarded) = (condition_operands[0], condition_operands[1..].to_vec());
        let yields = self.passed_on(view, after);
        let before_arguments = self.source.arguments(before).to_vec();
        let after_arguments = self.source.arguments(after).to_vec();
        match number(view, sluice::II) {
            Some(ii) => {
                let depth = required(view, sluice::DEPTH)?;
                let frame =
                    self.open_frame("while", Some((parent, time)), Some(ii), &[before, after])?;
                self.values.frames[frame.0].first_entry = Some(go);
                for ((argument, init), yielded) in before_arguments.iter().zip(&inits).zip(&yields)
                {
                    self.values.initialise(*init, *yielded);
                    self.values.define(
                        *argument,
                        Definition::Carried {
                            frame,
                            init: *init,
                            yielded: *yielded,
                        },
                    );
                }
                self.alias_forwarded(&after_arguments, &forwarded);
                self.lower_block(before, frame, None)?;
                self.lower_block(after, frame, Some(condition))?;
                let advance = self.token(frame, ii - 1);
                let decision = self.read(view, condition, frame, ii - 1)?;
                let again = self.circuit.and(advance, decision);
                let issue = self.circuit.any(&[go, again]);
                self.connect_entry(frame, issue);
                let stop = self.circuit.not(decision);
                let finished = self.circuit.and(advance, stop);
                self.results_of_pipeline(
                    view,
                    (parent, time),
                    frame,
                    &forwarded,
                    &forwarded,
                    None,
                )?;
                Ok(self.delay(finished, depth - ii, "while_leave"))
            }
            None => {
                let depth_before = required(view, sluice::DEPTH_BEFORE)?;
                let depth_after = required(view, sluice::DEPTH_AFTER)?;
                let first =
                    self.open_frame("while_before", Some((parent, time)), None, &[before])?;
                let second =
                    self.open_frame("while_after", Some((parent, time)), None, &[after])?;
                let carried =
                    self.hold_arguments(view, (parent, time), go, &inits, &before_arguments)?;
                self.lower_block(before, first, None)?;
                let decided = self.source_of_token(first, depth_before);
                for (argument, value) in after_arguments.iter().zip(&forwarded) {
                    let data = self.read_passed_on(view, *value, first, depth_before)?;
                    let name = value_name(view, *argument);
                    let held = self.capture(data, decided, &name);
                    self.values.define(*argument, Definition::Held(held));
                }
                for (result, argument) in view.results().iter().zip(&after_arguments) {
                    let held = self.values.definition(view, *argument)?.clone();
                    self.values.define(*result, held);
                }
                let decision = self.read_passed_on(view, condition, first, depth_before)?;
                let enter_after = self.circuit.and(decided, decision);
                self.connect_entry(second, enter_after);
                self.lower_block(after, second, None)?;
                let again = self.source_of_token(second, depth_after);
                for ((wire, enable_wire), yielded) in carried.into_iter().zip(&yields) {
                    let data = self.read_passed_on(view, *yielded, second, depth_after)?;
                    self.circuit.connect(wire, data);
                    self.circuit.connect(enable_wire, again);
                }
                let issue = self.circuit.any(&[go, again]);
                self.connect_entry(first, issue);
                let stop = self.circuit.not(decision);
                Ok(self.circuit.and(decided, stop))
            }
        }
    }

    /// Makes the arguments of `after` aliases of the values that `before` forwards, in a pipelined `scf.while`.
    fn alias_forwarded(&mut self, arguments: &[ValueId], forwarded: &[ValueId]) {
        for (argument, value) in arguments.iter().zip(forwarded) {
            self.values.alias(*argument, *value);
        }
    }

    fn lower_if(&mut self, view: View<'a>, parent: FrameId, time: u32) -> Built<ValueId> {
        let depths = view
            .attribute(sluice::DEPTHS)
            .and_then(|a| a.as_dense_array_i64(self.context));
        let depths = depths.ok_or_else(|| broken(view, "the schedule left no `sluice.depths`"))?;
        let go = self.token(parent, time);
        let condition = self.read(view, view.operand(0), parent, time)?;
        let mut leaves = Vec::new();
        // For each result, the data and the enable of each branch.
        let mut captured: Vec<Vec<(ValueId, ValueId)>> = vec![Vec::new(); view.results().len()];
        for (region, depth) in depths.iter().enumerate() {
            let depth = u32::try_from(*depth).map_err(|_| broken(view, "a negative depth"))?;
            let wanted = if region == 0 {
                condition
            } else {
                self.circuit.not(condition)
            };
            let enter = self.circuit.and(go, wanted);
            if depth == 0 {
                leaves.push(enter);
                continue;
            }
            let block = self.entry(view, region)?;
            let name = if region == 0 { "then" } else { "else" };
            let frame = self.open_frame(name, Some((parent, time)), None, &[block])?;
            self.connect_entry(frame, enter);
            self.lower_block(block, frame, None)?;
            let leave = self.source_of_token(frame, depth);
            for (slot, yielded) in captured.iter_mut().zip(self.passed_on(view, block)) {
                let data = self.read_passed_on(view, yielded, frame, depth)?;
                slot.push((data, leave));
            }
            leaves.push(leave);
        }
        for (result, sources) in view.results().iter().zip(captured) {
            let [(then_data, then_leave), (else_data, else_leave)] = sources[..] else {
                return Err(broken(
                    view,
                    "both branches of a conditional with results have a depth",
                ));
            };
            let data = self.circuit.mux(then_leave, then_data, else_data);
            let enable = self.circuit.any(&[then_leave, else_leave]);
            let name = value_name(view, *result);
            let held = self.capture(data, enable, &name);
            self.values.define(*result, Definition::Held(held));
        }
        Ok(self.circuit.any(&leaves))
    }
}
