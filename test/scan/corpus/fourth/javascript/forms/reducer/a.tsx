import { useEffect, useReducer } from "react";
function reducer(state, action) {
  switch (action.type) {
    case "loaded": return { ...state, passport: action.payload };
    default: return state;
  }
}
export function R({ id }) {
  const [state, dispatch] = useReducer(reducer, { passport: null });
  useEffect(() => {
    fetch(`/api/v1/passports/${id}`).then((r) => r.json()).then((b) => dispatch({ type: "loaded", payload: b.passport })); // call: passport
  }, [id]);
  return <p>{state.passport?.score}</p>; // read: passport.score
}
