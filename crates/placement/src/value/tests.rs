use super::*;

fn ascending() -> Vec<Value> {
    vec![
        Value::MinKey,
        Value::Null,
        Value::Double(f64::NAN),
        Value::Double(f64::NEG_INFINITY),
        Value::Int(i64::MIN),
        Value::Int(-1),
        Value::Double(-0.5),
        Value::Int(0),
        Value::Double(0.5),
        Value::Int(9_007_199_254_740_992),
        Value::Int(9_007_199_254_740_993),
        Value::Int(i64::MAX),
        Value::Double(9_223_372_036_854_775_808.0),
        Value::from(""),
        Value::from("Z"),
        Value::from("a"),
        Value::from("ab"),
        Value::from("я"),
        Value::Uuid(Uuid::nil()),
        Value::Uuid(Uuid::max()),
        Value::ObjectId([0; 12]),
        Value::Bool(false),
        Value::Bool(true),
        Value::Date(-1),
        Value::Date(0),
        Value::MaxKey,
    ]
}

#[test]
fn order_is_that_of_bson() {
    let values = ascending();
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a} against {b}");
        }
    }
}

#[test]
fn equal_numbers_are_equal_whatever_their_type() {
    assert_eq!(Value::Int(5), Value::Double(5.0));
    assert_eq!(Value::Double(0.0), Value::Double(-0.0));
    assert_eq!(Value::Int(i64::MIN), Value::Double(i64::MIN as f64));
}

#[test]
fn json_keeps_every_value() {
    for value in ascending() {
        let json = serde_json::to_string(&value).unwrap();
        let back: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back, value, "through {json}");
        assert_eq!(back.canonical_type(), value.canonical_type(), "through {json}");
    }
}

#[test]
fn json_is_readable() {
    let key = vec![Value::from("msk"), Value::Int(5), Value::Null, Value::MinKey, Value::Uuid(Uuid::nil())];
    assert_eq!(
        serde_json::to_string(&key).unwrap(),
        r#"["msk",5,null,{"$minKey":1},{"$uuid":"00000000-0000-0000-0000-000000000000"}]"#
    );
}

#[test]
fn an_object_id_of_the_wrong_length_is_refused() {
    let refused = serde_json::from_str::<Value>(r#"{"$oid":"00"}"#);
    assert!(refused.is_err());
}

#[test]
fn display_is_that_of_the_shell() {
    assert_eq!(Value::from("msk").to_string(), "\"msk\"");
    assert_eq!(Value::Uuid(Uuid::nil()).to_string(), "UUID(\"00000000-0000-0000-0000-000000000000\")");
    assert_eq!(Value::ObjectId([10; 12]).to_string(), "ObjectId(\"0a0a0a0a0a0a0a0a0a0a0a0a\")");
}
