import { Component } from "@angular/core";
import { RepService } from "./a.service";
@Component({ selector: "x", template: "" })
export class X {
  passport: any;
  constructor(private rep: RepService) {}
  ngOnInit() {
    this.rep.load("1").subscribe((p) => (this.passport = p));
    this.rep.passport$.subscribe((p) => console.log(p.main_wallet)); // read: passport.main_wallet
    this.rep.load("2").subscribe({ next: (p) => console.log(p.last_calculated_at), error: console.error }); // read: passport.last_calculated_at
  }
  get score() { return this.passport.score; } // read: passport.score
}
