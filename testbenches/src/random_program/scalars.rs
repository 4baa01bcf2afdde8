//! Random integer and index arithmetic, and conversions.

use super::generator::Generator;
use super::{Type, ValueId};

const PLAIN: &[&str] = &[
    "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
];

const PREDICATES: &[&str] = &[
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

impl Generator {
    pub(super) fn arithmetic(&mut self) {
        let a = self.any_integer();
        let ty = self.ty(a).clone();
        let Type::Integer(width_bits) = ty else {
            return;
        };
        let b = self.find(&ty);
        match self.choose(17) {
            16 if width_bits > 1 => {
                let operation = ["absi", "ctpop", "ctlz", "cttz"][self.choose(4)];
                let t = ty.text();
                self.emit(format!("%r0 = math.{operation} %o0 : {t}"), &[a], &[ty]);
            }
            0 if width_bits > 1 => self.shift(a, b, width_bits),
            1 => self.unsigned_division(a, b, &ty),
            2 if width_bits > 2 => self.signed_division(a, b, width_bits),
            3 if width_bits > 3 => self.division_by_constant(a, width_bits),
            4 => {
                let operation = ["mulsi_extended", "mului_extended"][self.choose(2)];
                let t = ty.text();
                self.emit(
                    format!("%r0, %r1 = arith.{operation} %o0, %o1 : {t}"),
                    &[a, b],
                    &[ty.clone(), ty],
                );
            }
            5 => {
                let t = ty.text();
                self.emit(
                    format!("%r0, %r1 = arith.addui_extended %o0, %o1 : {t}, i1"),
                    &[a, b],
                    &[ty, Type::Integer(1)],
                );
            }
            6 | 7 => {
                self.comparison(a, b);
            }
            8 => self.selection(),
            9 => self.wide(a, b, width_bits),
            _ => self.plain(a, b),
        }
    }

    fn plain(&mut self, a: ValueId, b: ValueId) {
        let ty = self.ty(a).clone();
        let operation = PLAIN[self.choose(PLAIN.len())];
        let ty = match ty {
            Type::Index { .. } => Type::Index { below: None },
            Type::Integer(_) | Type::Memory { .. } => ty,
        };
        self.emit(
            format!("%r0 = arith.{operation} %o0, %o1 : {}", ty.text()),
            &[a, b],
            &[ty],
        );
    }

    fn comparison(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let predicate = PREDICATES[self.choose(PREDICATES.len())];
        let t = self.ty(a).text();
        self.emit(
            format!("%r0 = arith.cmpi {predicate}, %o0, %o1 : {t}"),
            &[a, b],
            &[Type::Integer(1)],
        )[0]
    }

    /// Returns a condition, usually one that is created here.
    pub(super) fn condition(&mut self) -> ValueId {
        if self.once_in(4) {
            return self.find(&Type::Integer(1));
        }
        let a = self.any_integer();
        let ty = self.ty(a).clone();
        let b = self.find(&ty);
        self.comparison(a, b)
    }

    fn selection(&mut self) {
        let condition = self.condition();
        let ty = self.scalar_type();
        let (a, b) = (self.find(&ty), self.find(&ty));
        self.emit(
            format!("%r0 = arith.select %o0, %o1, %o2 : {}", ty.text()),
            &[condition, a, b],
            &[ty],
        );
    }

    /// Creates a shift by an amount less than the width.
    fn shift(&mut self, a: ValueId, b: ValueId, width_bits: u32) {
        let operation = ["shli", "shrui", "shrsi"][self.choose(3)];
        let t = format!("i{width_bits}");
        let template = match self.choose(3) {
            0 => {
                let amount = self.choose(usize::try_from(width_bits).expect("small"));
                format!(
                    "%l0 = arith.constant {amount} : {t}\n%r0 = arith.{operation} %o0, %l0 : {t}"
                )
            }
            1 => {
                let mask = (width_bits + 1).next_power_of_two() / 2 - 1;
                let mask = mask.min(width_bits / 2);
                let mask = (mask + 1).next_power_of_two() / 2;
                format!(
                    "%l0 = arith.constant {mask} : {t}\n%l1 = arith.andi %o1, %l0 : {t}\n%r0 = arith.{operation} %o0, %l1 : {t}"
                )
            }
            _ => format!(
                "%l0 = arith.constant {} : {t}\n%l1 = arith.minui %o1, %l0 : {t}\n%r0 = arith.{operation} %o0, %l1 : {t}",
                width_bits - 1
            ),
        };
        self.emit(template, &[a, b], &[Type::Integer(width_bits)]);
    }

    fn unsigned_division(&mut self, a: ValueId, b: ValueId, ty: &Type) {
        let operation = ["divui", "remui", "ceildivui"][self.choose(3)];
        let (t, one) = (ty.text(), super::text::literal(ty, 1));
        let template = if self.once_in(2) {
            format!(
                "%l0 = arith.constant {one}\n%l1 = arith.ori %o1, %l0 : {t}\n%r0 = arith.{operation} %o0, %l1 : {t}"
            )
        } else {
            let zero = super::text::literal(ty, 0);
            format!(
                "%l0 = arith.constant {one}\n%l1 = arith.constant {zero}\n%l2 = arith.cmpi eq, %o1, %l1 : {t}\n\
                 %l3 = arith.select %l2, %l0, %o1 : {t}\n%r0 = arith.{operation} %o0, %l3 : {t}"
            )
        };
        let ty = match ty {
            Type::Index { .. } => Type::Index { below: None },
            Type::Integer(_) | Type::Memory { .. } => ty.clone(),
        };
        self.emit(template, &[a, b], &[ty]);
    }

    /// Creates a signed division. The divisor is not 0, and it is not -1 if the dividend is the smallest number. MLIR's expansion
    /// of a rounded division wraps for the largest numbers, so its operands are halved.
    fn signed_division(&mut self, a: ValueId, b: ValueId, width_bits: u32) {
        let operation = [
            "divsi",
            "remsi",
            "divsi",
            "remsi",
            "ceildivsi",
            "floordivsi",
        ][self.choose(6)];
        let t = format!("i{width_bits}");
        let smallest = -(1i128 << (width_bits - 1));
        let template = if matches!(operation, "ceildivsi" | "floordivsi") {
            format!(
                "%l0 = arith.constant 1 : {t}\n%l1 = arith.constant 0 : {t}\n%l2 = arith.shrsi %o1, %l0 : {t}\n\
                 %l3 = arith.cmpi eq, %l2, %l1 : {t}\n%l4 = arith.select %l3, %l0, %l2 : {t}\n\
                 %l5 = arith.shrsi %o0, %l0 : {t}\n%r0 = arith.{operation} %l5, %l4 : {t}"
            )
        } else {
            format!(
                "%l0 = arith.constant 1 : {t}\n%l1 = arith.constant 0 : {t}\n%l2 = arith.cmpi eq, %o1, %l1 : {t}\n\
                 %l3 = arith.select %l2, %l0, %o1 : {t}\n%l4 = arith.constant {smallest} : {t}\n\
                 %l5 = arith.constant -1 : {t}\n%l6 = arith.cmpi eq, %o0, %l4 : {t}\n\
                 %l7 = arith.cmpi eq, %o1, %l5 : {t}\n%l8 = arith.andi %l6, %l7 : i1\n\
                 %l9 = arith.select %l8, %l0, %l3 : {t}\n%r0 = arith.{operation} %o0, %l9 : {t}"
            )
        };
        self.emit(template, &[a, b], &[Type::Integer(width_bits)]);
    }

    fn division_by_constant(&mut self, a: ValueId, width_bits: u32) {
        let ty = Type::Integer(width_bits);
        let mut divisor = self.number(&ty);
        if divisor == 0 || divisor == -1 {
            divisor = 3;
        }
        let operation = [
            "divui",
            "remui",
            "ceildivui",
            "divsi",
            "remsi",
            "ceildivsi",
            "floordivsi",
        ][self.choose(7)];
        let t = ty.text();
        let rounded = operation == "ceildivsi" || operation == "floordivsi";
        let template = if rounded {
            let divisor = match divisor / 2 {
                0 | -1 => 3,
                half => half,
            };
            format!(
                "%l0 = arith.constant {divisor} : {t}\n%l1 = arith.constant 1 : {t}\n%l2 = arith.shrsi %o0, %l1 : {t}\n\
                 %r0 = arith.{operation} %l2, %l0 : {t}"
            )
        } else {
            format!("%l0 = arith.constant {divisor} : {t}\n%r0 = arith.{operation} %o0, %l0 : {t}")
        };
        self.emit(template, &[a], &[ty]);
    }

    /// Creates an operation in a wider type, with conversions before and after it.
    fn wide(&mut self, a: ValueId, b: ValueId, width_bits: u32) {
        let wide = width_bits + u32::try_from(1 + self.choose(9)).expect("small");
        let extension = ["extsi", "extui"][self.choose(2)];
        let operation = ["addi", "muli", "subi"][self.choose(3)];
        let template = format!(
            "%l0 = arith.{extension} %o0 : i{width_bits} to i{wide}\n%l1 = arith.{extension} %o1 : i{width_bits} to i{wide}\n\
             %l2 = arith.{operation} %l0, %l1 : i{wide}\n%r0 = arith.trunci %l2 : i{wide} to i{width_bits}"
        );
        self.emit(template, &[a, b], &[Type::Integer(width_bits)]);
    }

    /// Creates a conversion between widths, or between integers and `index`.
    pub(super) fn conversion(&mut self) {
        let a = self.any_integer();
        let Type::Integer(from) = *self.ty(a) else {
            return;
        };
        match self.choose(4) {
            0 => {
                let operation = ["index_cast", "index_castui"][self.choose(2)];
                let below = (operation == "index_castui" && from <= 5).then(|| 1 << from);
                self.emit(
                    format!("%r0 = arith.{operation} %o0 : i{from} to index"),
                    &[a],
                    &[Type::Index { below }],
                );
            }
            1 => {
                let to = self.width();
                let index = self.find(&Type::Index { below: None });
                let operation = ["index_cast", "index_castui"][self.choose(2)];
                self.emit(
                    format!("%r0 = arith.{operation} %o0 : index to i{to}"),
                    &[index],
                    &[Type::Integer(to)],
                );
            }
            _ => {
                let to = self.width();
                let operation = match from.cmp(&to) {
                    std::cmp::Ordering::Less => ["extsi", "extui"][self.choose(2)],
                    std::cmp::Ordering::Greater => "trunci",
                    std::cmp::Ordering::Equal => return self.arithmetic(),
                };
                self.emit(
                    format!("%r0 = arith.{operation} %o0 : i{from} to i{to}"),
                    &[a],
                    &[Type::Integer(to)],
                );
            }
        }
    }

    /// Creates an `arith` operation on `index`, with or without a known range.
    pub(super) fn index_arithmetic(&mut self) {
        let any = Type::Index { below: None };
        let small = Type::Index { below: Some(16) };
        match self.choose(11) {
            0 | 1 => {
                let (a, b) = (self.find(&any), self.find(&any));
                self.plain(a, b);
            }
            9 | 10 => {
                const OPERATIONS: &[&str] = &[
                    "add", "sub", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor",
                    "divu", "remu", "ceildivu", "shl", "shrs", "shru",
                ];
                let (a, b) = (self.find(&any), self.find(&any));
                let operation = OPERATIONS[self.choose(OPERATIONS.len())];
                let template = match operation {
                    "divu" | "remu" | "ceildivu" => format!(
                        "%l0 = index.constant 1\n%l1 = index.or %o1, %l0\n%r0 = index.{operation} %o0, %l1"
                    ),
                    "shl" | "shrs" | "shru" => format!(
                        "%l0 = index.constant 31\n%l1 = index.and %o1, %l0\n%r0 = index.{operation} %o0, %l1"
                    ),
                    plain => format!("%r0 = index.{plain} %o0, %o1"),
                };
                self.emit(template, &[a, b], std::slice::from_ref(&any));
            }
            2 => {
                let (a, n) = (self.find(&any), 1 + self.random.next_u64() % 16);
                self.emit(
                    format!("%l0 = arith.constant {n} : index\n%r0 = arith.remui %o0, %l0 : index"),
                    &[a],
                    &[Type::Index { below: Some(n) }],
                );
            }
            3 => {
                let (a, b) = (self.find(&any), self.find(&any));
                self.unsigned_division(a, b, &any);
            }
            4 => {
                let (a, b) = (self.find(&any), self.find(&any));
                self.comparison(a, b);
            }
            5 => {
                let (a, c) = (self.find(&small), self.random.next_u64() % 4);
                let below = self.below(a).map(|n| n + c);
                self.emit(
                    format!("%l0 = arith.constant {c} : index\n%r0 = arith.addi %o0, %l0 : index"),
                    &[a],
                    &[Type::Index { below }],
                );
            }
            6 => {
                let a = self.find(&small);
                let below = self.below(a);
                let last = below.unwrap_or(1) - 1;
                self.emit(
                    format!(
                        "%l0 = arith.constant {last} : index\n%r0 = arith.subi %l0, %o0 : index"
                    ),
                    &[a],
                    &[Type::Index { below }],
                );
            }
            7 => {
                let (a, n) = (self.find(&any), 1 + self.random.next_u64() % 8);
                self.emit(
                    format!("%l0 = arith.constant {n} : index\n%r0 = arith.minui %o0, %l0 : index"),
                    &[a],
                    &[Type::Index { below: Some(n + 1) }],
                );
            }
            _ => {
                let a = self.any_integer();
                let Type::Integer(width_bits) = *self.ty(a) else {
                    return;
                };
                let bits = width_bits.min(u32::try_from(1 + self.choose(4)).expect("small"));
                let template = if bits == width_bits {
                    format!("%r0 = arith.index_castui %o0 : i{bits} to index")
                } else {
                    format!(
                        "%l0 = arith.trunci %o0 : i{width_bits} to i{bits}\n%r0 = arith.index_castui %l0 : i{bits} to index"
                    )
                };
                self.emit(
                    template,
                    &[a],
                    &[Type::Index {
                        below: Some(1 << bits),
                    }],
                );
            }
        }
    }

    pub(super) fn below(&self, value: ValueId) -> Option<u64> {
        match self.ty(value) {
            Type::Index { below } => *below,
            Type::Integer(_) | Type::Memory { .. } => None,
        }
    }
}
