export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5a636e;--line:#dfe3e8;--paper:#fff;--tint:#f5f7f9;--accent:#1f5fae;
--good:#1a7340;--warning:#8a5a00;--bad:#b3261e;--neutral:#5a636e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a0a9b4;--line:#343b44;--paper:#14171b;--tint:#1c2127;
--accent:#7fb2f0;--good:#62c88b;--warning:#e0b04a;--bad:#f2877e;--neutral:#a0a9b4}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:66rem;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1,h2,h3,p,ol,ul,table,figure{margin:0}
h1{font-size:1rem;font-weight:400;color:var(--soft)}
.verdict{font-size:1.75rem;line-height:1.25;font-weight:600;margin:.35rem 0 .6rem;text-wrap:balance}
h2{font-size:1.2rem;font-weight:600;margin:2.6rem 0 .75rem}
h3{font-size:1rem;font-weight:600;margin:1.6rem 0 .4rem}
.soft{color:var(--soft)}
.note{color:var(--soft);margin:.4rem 0 .9rem;max-width:46em}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.badge{white-space:nowrap;font-weight:600}
.good{color:var(--good)}.warning{color:var(--warning)}.bad{color:var(--bad)}.neutral{color:var(--neutral)}
.callout{border-left:3px solid var(--warning);padding:.35rem .9rem;margin:1rem 0;background:var(--tint)}
strong{font-weight:600}
ul{padding-left:1.1rem}ul li{margin:.15rem 0;overflow-wrap:anywhere}
.entries{list-style:none;padding:0;counter-reset:entry}
.entries li{counter-increment:entry;position:relative;padding:.1rem 0 .8rem 2.2rem}
.entries li::before{content:counter(entry);position:absolute;left:0;top:0;font-size:1.35rem;line-height:1.3;color:var(--soft)}
.entries dl{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.05rem .6rem;margin:0}
dd code,td:first-child code{display:inline-block;max-width:100%}
.entries dt{color:var(--soft)}.entries dd{margin:0;overflow-wrap:anywhere}
.figure{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.4rem 2rem;align-items:start}
.value{font-size:2.6rem;line-height:1.1;font-weight:600;max-width:20rem}
.value small{display:block;font-size:.95rem;line-height:1.4;font-weight:400;color:var(--soft);margin-top:.3rem}
.scroll{overflow-x:auto;margin-top:.5rem}
.paper{display:none}
.tight{white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:400;color:var(--soft);white-space:nowrap}
th,td{padding:.36rem .9rem .36rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td:last-child,th:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
.wide{min-width:14rem}
.charts{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.4rem 1.6rem}
.charts figure{min-width:0}
figcaption{font-size:.92rem;display:flex;justify-content:space-between;gap:.5rem;margin-bottom:.15rem}
figcaption b{font-weight:600}figcaption *{white-space:nowrap}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
svg .grid{stroke:var(--line)}
svg .value{fill:var(--accent);fill-opacity:.18}
svg .outline{fill:none;stroke:var(--accent);stroke-width:1.4}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--soft);font-size:.92rem}
@media (max-width:44rem){body{padding:1.4rem 1rem 3rem}.verdict{font-size:1.45rem}.charts{grid-template-columns:1fr}
.figure,.entries dl{grid-template-columns:minmax(0,1fr)}.entries dt{font-size:.9rem;margin-top:.2rem}p>.badge{white-space:normal}}
@page{size:A4;margin:14mm 13mm 15mm;
@bottom-left{content:"V1 migration readiness";font:8pt system-ui,sans-serif;color:#444}
@bottom-right{content:counter(page) " of " counter(pages);font:8pt system-ui,sans-serif;color:#444}}
@media print{
:root{--ink:#000;--soft:#444;--line:#ccc;--paper:#fff;--tint:#f3f3f3;--accent:#1f5fae;--good:#1a7340;--warning:#7a4f00;--bad:#a3211a;--neutral:#444}
html{font-size:9pt;line-height:1.4}body{padding:0;max-width:none}
.verdict{font-size:1.45rem}.value{font-size:2.2rem}.entries li{padding-bottom:.4rem}th,td{padding-top:.2rem;padding-bottom:.2rem}
h2{break-after:avoid;margin:1.3rem 0 .4rem}.note{margin:.2rem 0 .4rem;break-after:avoid}.scroll{margin-top:.2rem}h3{break-after:avoid}
.first{break-after:page}
.paper{display:block}.screen{display:none}
tr,li,figure,.figure{break-inside:avoid}
thead{display:table-header-group}.scroll{overflow:visible}.wide{min-width:24mm}th,td{padding-right:.6rem;overflow-wrap:anywhere}.note,p,li,code{overflow-wrap:anywhere}
.charts{grid-template-columns:repeat(3,minmax(0,1fr))}.figure{grid-template-columns:auto minmax(0,1fr)}.entries dl{grid-template-columns:5.5rem minmax(0,1fr)}
.entries:has(li:nth-child(5)) :is(dl,dt,dd){display:inline}.entries:has(li:nth-child(5)) dt::after{content:": "}.entries:has(li:nth-child(5)) dd+dt::before{content:" · "}
p,li{orphans:2;widows:2}footer{break-inside:avoid;margin-top:1.5rem}
}`;
