import React from "react";
export class Card extends React.Component {
  state = { passport: null };
  async componentDidMount() {
    const r = await fetch("/api/v1/passports/" + this.props.id); // call: passport
    const body = await r.json();
    this.setState({ passport: body.passport });
  }
  render() {
    const { passport } = this.state;
    return <p>{passport.calculating_score}{this.state.passport.score}</p>; // read: passport.calculating_score, passport.score
  }
}
