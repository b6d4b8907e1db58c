//! The walk through a value that checks its numbers: a serialiser that writes nothing.
//!
//! It allocates only where something is wrong, so that every analysis can afford it.

use super::path::KeyPath;
use super::problem::Problem;
use super::rules::Rule;
use serde::de::value::Error;
use serde::ser::{
    Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, Serializer,
};

impl Rule {
    /// Every number of a value that is not finite or outside its range.
    pub(super) fn check<T: Serialize>(&self, value: &T) -> Vec<Problem> {
        let mut walk = Walk { path: Vec::new(), found: Vec::new() };
        if let Err(error) = value.serialize(At { rule: self, walk: &mut walk }) {
            walk.found.push(Problem::new("", error.to_string()));
        }
        walk.found
    }
}

struct Walk {
    path: Vec<Step>,
    found: Vec<Problem>,
}

#[derive(Clone, Copy)]
enum Step {
    Name(&'static str),
    Entry(usize),
}

impl Walk {
    fn path(&self) -> KeyPath {
        KeyPath::of(self.path.iter().map(|step| match step {
            Step::Name(name) => (*name).to_owned(),
            Step::Entry(index) => index.to_string(),
        }))
    }

    fn below<T: ?Sized + Serialize>(&mut self, step: Step, rule: &Rule, value: &T) -> Result<(), Error> {
        if matches!(rule, Rule::Free) {
            return Ok(());
        }
        self.path.push(step);
        value.serialize(At { rule, walk: self })?;
        self.path.pop();
        Ok(())
    }

    /// The entry of a table or the choice of that name.
    fn named<T: ?Sized + Serialize>(&mut self, name: &'static str, rule: &Rule, value: &T) -> Result<(), Error> {
        match rule.form(|form| matches!(form, Rule::Table(_))) {
            Rule::Table(rules) => rules.get(name).map_or(Ok(()), |rule| self.below(Step::Name(name), rule, value)),
            _ => Ok(()),
        }
    }
}

/// A value and what holds for it.
struct At<'r, 'w> {
    rule: &'r Rule,
    walk: &'w mut Walk,
}

impl At<'_, '_> {
    fn number(self, value: f64) -> Result<(), Error> {
        if let Rule::Number(range) = self.rule.form(|form| matches!(form, Rule::Number(_)))
            && !range.contains(value)
        {
            let wrong = range.check(&self.walk.path(), value);
            self.walk.found.extend(wrong.err());
        }
        Ok(())
    }
}

/// The entries of a table or a list, one after another.
struct Inside<'r, 'w> {
    at: At<'r, 'w>,
    next: usize,
    /// The choice that the table stands below.
    chosen: bool,
}

impl Inside<'_, '_> {
    fn entry<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.next;
        self.next += 1;
        match self.at.rule.form(|form| matches!(form, Rule::List(_))) {
            Rule::List(each) => self.at.walk.below(Step::Entry(index), each, value),
            _ => Ok(()),
        }
    }

    fn leave(self) {
        if self.chosen {
            self.at.walk.path.pop();
        }
    }
}

macro_rules! numbers {
    ($($name:ident: $type:ty),*) => {
        $(#[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
        fn $name(self, value: $type) -> Result<(), Error> {
            self.number(value as f64)
        })*
    };
}

macro_rules! nothing {
    ($($name:ident($($type:ty),*)),*) => {
        $(fn $name(self, $(_: $type),*) -> Result<(), Error> {
            Ok(())
        })*
    };
}

impl<'r, 'w> Serializer for At<'r, 'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Inside<'r, 'w>;
    type SerializeTuple = Inside<'r, 'w>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Unnamed;
    type SerializeStruct = Inside<'r, 'w>;
    type SerializeStructVariant = Inside<'r, 'w>;

    numbers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_u8: u8,
        serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64);
    nothing!(
        serialize_bool(bool),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
        serialize_none(),
        serialize_unit(),
        serialize_unit_struct(&'static str),
        serialize_unit_variant(&'static str, u32, &'static str)
    );

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.walk.named(variant, self.rule, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Ok(Inside { at: self, next: 0, chosen: false })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Ok(Inside { at: self, next: 0, chosen: false })
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(unnamed(name))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(unnamed(name))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Ok(Unnamed)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Ok(Inside { at: self, next: 0, chosen: false })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        let rule = match self.rule.form(|form| matches!(form, Rule::Table(_))) {
            Rule::Table(rules) => rules.get(variant).unwrap_or(&Rule::Free),
            _ => &Rule::Free,
        };
        self.walk.path.push(Step::Name(variant));
        Ok(Inside { at: At { rule, walk: self.walk }, next: 0, chosen: true })
    }
}

fn unnamed(name: &str) -> Error {
    serde::ser::Error::custom(format!("{name} has parts without names"))
}

/// A table whose keys are names of the user: its numbers have no range of their own.
struct Unnamed;

impl serde::ser::SerializeMap for Unnamed {
    type Ok = ();
    type Error = Error;
    fn serialize_key<T: ?Sized + Serialize>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_value<T: ?Sized + Serialize>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }
    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! lists {
    ($($trait:ident),*) => {
        $(impl $trait for Inside<'_, '_> {
            type Ok = ();
            type Error = Error;
            fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
                self.entry(value)
            }
            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

macro_rules! tables {
    ($($trait:ident),*) => {
        $(impl $trait for Inside<'_, '_> {
            type Ok = ();
            type Error = Error;
            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.at.walk.named(name, self.at.rule, value)
            }
            fn end(self) -> Result<(), Error> {
                self.leave();
                Ok(())
            }
        })*
    };
}

lists!(SerializeSeq, SerializeTuple);
tables!(SerializeStruct, SerializeStructVariant);
