// Charts of the schedules, and links between operations and source lines. The tables of the page need no script.
(() => {
  'use strict';
  const holder = document.getElementById('data');
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  const ROW = 20, AXIS = 24, NAMES = 250;
  const SVG = document.getElementById('svg').namespaceURI;

  const element = (parent, name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  };
  const html = (parent, name, attributes, text) => {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  };
  const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
  const ns = (value) => `${Number(value.toFixed(2))} ns`;

  // Source lines. Every chart registers what it has on a line.
  const charts = [];
  const sourceRow = (line) => document.getElementById(`L${line}`);
  const markLine = (line, scroll) => {
    document.querySelectorAll('tr.hit').forEach((row) => row.classList.remove('hit'));
    const row = line && sourceRow(line);
    if (!row) return;
    row.classList.add('hit');
    const box = row.closest('.sourcebox');
    if (scroll && box && box.scrollHeight > box.clientHeight) {
      box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    }
  };

  class Chart {
    constructor(place, of) {
      this.place = place;
      this.of = of;
      this.zoom = 1;
      this.selected = -1;
      this.hovered = -1;
      this.shadows = false;
      this.into = of.operations.map(() => []);
      this.out = of.operations.map(() => []);
      for (const edge of of.dependences) {
        this.out[edge[0]].push(edge);
        this.into[edge[1]].push(edge);
      }
      const tight = (a, b) => a[4] - b[4] || b[5] - a[5];
      this.into.forEach((edges) => edges.sort(tight));
      this.out.forEach((edges) => edges.sort(tight));
      this.hot = new Set(of.ii && of.limit ? of.limit.rows : []);
      this.ends = of.operations.map((op) => this.end(op));
      let cycles = Math.max(of.depth || 1, 1, ...this.ends.map((end) => Math.ceil(end - 1e-6)));
      if (of.ii && of.dependences.some((edge) => edge[2] > 0)) cycles += Math.min(of.ii, Math.ceil(cycles / 2) + 1);
      this.cycles = cycles;
      this.build();
      this.draw();
    }

    // Positions are in cycles; a part of a cycle is a part of the clock period.
    part(value) { return Math.min(value / data.clock_period_ns, 1); }
    begin(op) { return op.start + (op.from_ns === undefined ? 0 : this.part(op.from_ns)); }
    end(op) {
      if (op.to_ns === undefined) return op.start + Math.max(op.latency, 1);
      return op.start + op.latency + this.part(op.to_ns);
    }

    build() {
      const { place, of } = this;
      place.hidden = false;
      const bar = html(place, 'div', { class: 'tools', role: 'toolbar', 'aria-label': 'zoom' });
      const button = (text, label, act) => {
        const made = html(bar, 'button', { type: 'button', 'aria-label': label, title: label }, text);
        made.addEventListener('click', act);
      };
      button('+', 'zoom in', () => this.scale(1.5));
      button('\u2212', 'zoom out', () => this.scale(1 / 1.5));
      button('fit', 'fit the width', () => this.fit());
      if (this.of.ii) {
        const label = html(bar, 'label', {});
        const box = html(label, 'input', { type: 'checkbox' });
        label.append(` next iterations, ${this.of.ii === 1 ? 'every cycle' : `every ${this.of.ii} cycles`}`);
        box.addEventListener('change', () => { this.shadows = box.checked; this.draw(); });
      }
      html(bar, 'span', { class: 'faint' }, 'arrow keys: operations and dependences; + and \u2212: zoom; Enter: source line');
      this.view = html(place, 'div', {
        class: 'chart', tabindex: '0', role: 'listbox', 'aria-label': `operations of ${this.of.title}`,
      });
      this.axis = html(this.view, 'div', { class: 'axis' });
      const body = html(this.view, 'div', { class: 'rows' });
      this.names = html(body, 'div', { class: 'names' });
      this.plot = html(body, 'div', { class: 'plot' });
      const prefix = `${place.id}-`;
      this.labels = this.of.operations.map((op, row) => {
        const made = html(this.names, 'div', {
          class: `name${this.hot.has(row) ? ' hot' : ''}${row === of.n_major && row > 0 ? ' minor' : ''}`, id: prefix + row, role: 'option', title: op.name, 'aria-label': this.words(row),
        });
        html(made, 'span', { class: 'opname' }, op.name);
        html(made, 'span', { class: 'faint' }, op.line || '');
        return made;
      });
      this.detail = html(place, 'div', { class: 'detail', 'aria-live': 'polite' });
      html(this.detail, 'span', { class: 'faint' }, 'Point at an operation, or select one, to see its dependences.');
      const rowAt = (event) => Math.floor((event.clientY - body.getBoundingClientRect().top) / ROW);
      body.addEventListener('mousemove', (event) => this.hover(rowAt(event)));
      body.addEventListener('mouseleave', () => this.hover(-1));
      body.addEventListener('click', (event) => this.select(rowAt(event), true));
      this.view.addEventListener('wheel', (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.scale(event.deltaY < 0 ? 1.25 : 0.8, event.clientX);
      }, { passive: false });
      this.view.addEventListener('keydown', (event) => this.key(event));
      let width = 0;
      new ResizeObserver(() => {
        if (this.view.clientWidth !== width) { width = this.view.clientWidth; this.draw(); }
      }).observe(this.view);
    }

    key(event) {
      const at = this.selected;
      const follow = (edges, end) => { if (edges && edges.length) this.select(edges[0][end], true); };
      const keys = {
        ArrowDown: () => this.select(Math.min(at + 1, this.of.operations.length - 1), true),
        ArrowUp: () => this.select(Math.max(at - 1, 0), true),
        ArrowLeft: () => follow(this.into[at], 0),
        ArrowRight: () => follow(this.out[at], 1),
        Enter: () => {
          const row = at >= 0 && sourceRow(this.of.operations[at].line);
          const link = row && row.querySelector('a');
          if (link) link.focus();
        },
        Escape: () => this.select(-1, false),
        '+': () => this.scale(1.5),
        '=': () => this.scale(1.5),
        '-': () => this.scale(1 / 1.5),
        0: () => this.fit(),
      };
      const act = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }

    fit() { this.zoom = 1; this.draw(); this.view.scrollLeft = 0; }

    scale(by, x) {
      const box = this.view.getBoundingClientRect();
      const at = (x === undefined ? box.left + NAMES + (box.width - NAMES) / 2 : x) - box.left - NAMES;
      const cycle = (this.view.scrollLeft + at) / this.unit;
      this.zoom = Math.min(Math.max(this.zoom * by, 1), 400);
      this.draw();
      this.view.scrollLeft = cycle * this.unit - at;
    }

    // Draws everything but the arrows.
    draw() {
      const width = Math.max(this.view.clientWidth - NAMES - 2, 200);
      this.unit = Math.max(width / this.cycles, 6) * this.zoom;
      if (this.zoom > 1) this.unit = Math.min(this.unit, 4000);
      const { unit, cycles, of } = this;
      const total = cycles * unit, height = of.operations.length * ROW;
      this.axis.textContent = '';
      this.plot.textContent = '';
      const axis = element(this.axis, 'svg', { width: total, height: AXIS, 'aria-hidden': 'true' });
      const svg = element(this.plot, 'svg', { width: total, height, 'aria-hidden': 'true' });
      const usable = of.usable_ns || 0;
      const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n * unit >= 34) || 2000;
      for (let cycle = 0; cycle <= cycles; cycle += 1) {
        const x = cycle * unit;
        if (of.ii && Math.floor(cycle / of.ii) % 2 === 1 && cycle < cycles) {
          element(svg, 'rect', { class: 'stage', x, y: 0, width: unit, height });
        }
        if (usable && unit > 60 && cycle < cycles) {
          const from = this.part(usable) * unit;
          element(svg, 'rect', { class: 'reserve', x: x + from, y: 0, width: unit - from, height });
        }
        if (cycle % every === 0) {
          element(svg, 'line', { class: 'edge', x1: x, y1: 0, x2: x, y2: height });
          element(axis, 'line', { class: 'edge', x1: x, y1: 4, x2: x, y2: AXIS });
          if (cycle < cycles) element(axis, 'text', { x: x + 3, y: 16 }, cycle === 0 && every * unit > 64 ? 'cycle 0' : String(cycle));
        }
        if (unit > 260 && cycle < cycles) {
          const step = data.clock_period_ns / (unit > 700 ? 10 : 5);
          for (let n = 1; n * step < data.clock_period_ns - 1e-6; n += 1) {
            const at = x + (n * step / data.clock_period_ns) * unit;
            element(svg, 'line', { class: 'tick', x1: at, y1: 0, x2: at, y2: height });
            if (n > 1 || cycle > 0 || unit > 500) element(axis, 'text', { class: 'faint small', x: at, y: 16, 'text-anchor': 'middle' }, `${Number((n * step).toFixed(1))} ns`);
          }
        }
      }
      const first = Math.max(...of.operations.map((op) => op.start), 0);
      of.operations.forEach((op, row) => {
        const y = row * ROW, hot = this.hot.has(row);
        if (row === of.n_major && row > 0) element(svg, 'line', { class: 'minor', x1: 0, y1: y, x2: total, y2: y });
        if (this.shadows && of.ii) {
          for (let n = 1; op.start + n * of.ii < cycles && n <= first + cycles; n += 1) this.bar(svg, op, y, n * of.ii, 'shadow');
        }
        if (hot) element(svg, 'rect', { class: 'hotrow', x: 0, y, width: total, height: ROW });
        this.bar(svg, op, y, 0, hot ? 'hot' : '');
        if (op.slack_ns > 0.005 && op.latency === 0 && op.to_ns !== undefined) {
          const x = this.ends[row] * unit;
          const spare = (op.slack_ns / data.clock_period_ns) * unit;
          if (spare > 3) element(svg, 'line', { class: 'slack', x1: x, y1: y + ROW / 2, x2: x + spare, y2: y + ROW / 2 });
        }
      });
      this.fixed = element(svg, 'g', {});
      this.arrows = element(svg, 'g', {});
      this.critical();
      this.show();
    }

    bar(svg, op, y, later, extra) {
      const { unit } = this, kind = `${op.kind} ${extra}`;
      const from = (this.begin(op) + later) * unit, to = (this.end(op) + later) * unit;
      if (op.latency === 0 && op.to_ns !== undefined) {
        element(svg, 'rect', { class: kind, x: from, y: y + 5, width: Math.max(to - from, 3), height: 10, rx: 2 });
        return;
      }
      const edge = (op.start + Math.max(op.latency, 1) + later) * unit;
      element(svg, 'rect', { class: kind, x: from, y: y + 4, width: Math.max(edge - from - 1, 3), height: 12, rx: 2 });
      if (to - edge > 1) element(svg, 'rect', { class: `${kind} tail`, x: edge, y: y + 8, width: to - edge, height: 4 });
    }

    arrow(parent, edge, kind) {
      const [from, to, distance, , spare, isData] = edge;
      const { unit, of } = this;
      const later = distance * (of.ii || 0);
      const x1 = this.ends[from] * unit, y1 = from * ROW + ROW / 2;
      const x2 = Math.min((this.begin(of.operations[to]) + later) * unit, this.cycles * unit - 4), y2 = to * ROW + ROW / 2;
      if (distance > 0) this.bar(parent, of.operations[to], to * ROW, later, 'shadow');
      const bend = Math.max(14, Math.min(Math.abs(x2 - x1) / 2, 60));
      const shape = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      const names = ['arrow', kind, spare === 0 ? 'tight' : '', isData ? '' : 'order', distance ? 'carried' : ''];
      element(parent, 'path', { class: names.join(' '), d: shape });
      element(parent, 'path', { class: `head ${kind}`, d: `M${x2} ${y2}l-7 -4v8z` });
      if (distance > 0) element(parent, 'text', { class: 'faint small', x: x2 - 8, y: y2 - 6, 'text-anchor': 'end' }, `${plural(distance, 'iteration')} later`);
    }

    // The recurrence that sets the II is always drawn.
    critical() {
      const { limit } = this.of;
      if (!limit || limit.kind !== 'recurrence') return;
      limit.rows.forEach((row, at) => {
        const next = limit.rows[(at + 1) % limit.rows.length];
        const edges = this.out[row].filter((edge) => edge[1] === next);
        if (edges.length) this.arrow(this.fixed, edges[0], 'critical');
      });
    }

    hover(row) {
      const at = row >= 0 && row < this.of.operations.length ? row : -1;
      if (at === this.hovered) return;
      this.hovered = at;
      this.show();
    }

    show() {
      this.arrows.textContent = '';
      const at = this.hovered >= 0 ? this.hovered : this.selected;
      this.labels.forEach((label, row) => {
        label.classList.toggle('selected', row === this.selected);
        label.classList.toggle('pointed', row === at);
      });
      if (at < 0) return;
      element(this.arrows, 'rect', { class: 'pointer', x: 0, y: at * ROW, width: this.cycles * this.unit, height: ROW });
      this.into[at].forEach((edge) => this.arrow(this.arrows, edge, 'in'));
      this.out[at].forEach((edge) => this.arrow(this.arrows, edge, 'out'));
      this.tell(at);
    }

    words(row) {
      const op = this.of.operations[row], { ii } = this.of;
      const parts = [op.line ? `line ${op.line}` : 'no source line', op.unit, `starts in cycle ${op.start}`];
      if (ii) parts.push(`stage ${Math.floor(op.start / ii)}, slot ${op.start % ii}`);
      if (op.latency > 0) parts.push(`latency ${plural(op.latency, 'cycle')}`);
      if (op.to_ns !== undefined) {
        parts.push(op.latency > 0 ? `takes its operands at ${ns(op.from_ns)}, result at ${ns(op.to_ns)} of its last cycle`
          : `from ${ns(op.from_ns)} to ${ns(op.to_ns)} of the cycle`);
        if (op.slack_ns > 0.005) parts.push(`slack ${ns(op.slack_ns)}`);
      }
      if (this.hot.has(row)) parts.push('limits the II');
      return `${op.name}: ${parts.join(', ')}`;
    }

    tell(row) {
      const { detail } = this, ops = this.of.operations;
      detail.textContent = '';
      const [name, ...rest] = this.words(row).split(': ');
      html(detail, 'b', {}, name);
      detail.append(`: ${rest.join(': ')}`);
      const list = (title, edges, end) => {
        if (!edges.length) return;
        const line = html(detail, 'div', {});
        line.append(`${title} `);
        edges.slice(0, 12).forEach((edge) => {
          const button = html(line, 'button', { type: 'button', class: edge[4] === 0 ? 'link tight' : 'link' }, ops[edge[end]].name.split(' = ')[0]);
          button.addEventListener('click', () => { this.select(edge[end], true); this.view.focus(); });
          const facts = [edge[5] ? '' : 'order only', edge[2] ? plural(edge[2], 'iteration') + ' apart' : '', edge[4] > 0 ? `${plural(edge[4], 'cycle')} to spare` : ''];
          const said = facts.filter(Boolean).join(', ');
          if (said) html(line, 'span', { class: 'faint' }, ` (${said})`);
          line.append(' ');
        });
        if (edges.length > 12) line.append(`and ${edges.length - 12} more`);
      };
      list('waits for', this.into[row], 0);
      list('awaited by', this.out[row], 1);
    }

    select(row, scroll) {
      const is = row >= 0 && row < this.of.operations.length;
      charts.forEach((other) => { if (other !== this && other.selected >= 0) { other.selected = -1; other.show(); } });
      this.selected = is ? row : -1;
      this.hovered = -1;
      if (is) {
        this.view.setAttribute('aria-activedescendant', this.labels[row].id);
        const top = row * ROW, { view } = this;
        if (top < view.scrollTop) view.scrollTop = top;
        if (top + ROW + AXIS > view.scrollTop + view.clientHeight) view.scrollTop = top + ROW + AXIS - view.clientHeight + 4;
        markLine(this.of.operations[row].line, scroll);
      } else {
        this.view.removeAttribute('aria-activedescendant');
        markLine(0);
      }
      this.show();
    }
  }

  document.querySelectorAll('[data-chart]').forEach((place) => {
    const of = data.charts[Number(place.dataset.chart)];
    const around = place.closest('details');
    const make = () => { if (!place.dataset.drawn) { place.dataset.drawn = '1'; charts.push(new Chart(place, of)); } };
    place.make = make;
    if (!around || around.open) make();
    else around.addEventListener('toggle', () => { if (around.open) make(); });
  });

  // From a source line to the first operation on it.
  document.querySelectorAll('.sourcebox tr[id]').forEach((row) => {
    row.addEventListener('click', (event) => {
      const line = Number(row.id.slice(1));
      event.preventDefault();
      const places = [...document.querySelectorAll('[data-chart]')];
      const has = places.filter((place) => data.charts[Number(place.dataset.chart)].operations.some((op) => op.line === line));
      const place = has.find((one) => one.dataset.drawn) || has[0];
      markLine(line);
      if (!place) return;
      for (let around = place.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
      place.make();
      const chart = charts.find((one) => one.place === place);
      const on = chart.of.operations.map((op, at) => [op.line === line, at]).filter((pair) => pair[0]).map((pair) => pair[1]);
      const next = on[(on.indexOf(chart.selected) + 1) % on.length];
      chart.select(next);
      place.scrollIntoView({ block: 'nearest' });
      markLine(line);
    });
  });

  // Links to a line from tables and maps.
  document.querySelectorAll('a[href^="#L"]').forEach((link) => {
    if (link.closest('.sourcebox')) return;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      markLine(Number(link.getAttribute('href').slice(2)), true);
      const box = document.querySelector('.sourcebox');
      if (box && getComputedStyle(box).position !== 'sticky') sourceRow(link.getAttribute('href').slice(2))?.scrollIntoView({ block: 'center' });
    });
  });

  // Graphs: a node shows its edges.
  document.querySelectorAll('svg.graph').forEach((svg) => {
    const mark = (node) => {
      svg.classList.toggle('pointed', Boolean(node));
      svg.querySelectorAll('.lit').forEach((one) => one.classList.remove('lit'));
      if (!node) return;
      const id = node.dataset.n;
      node.classList.add('lit');
      svg.querySelectorAll(`[data-from="${id}"], [data-to="${id}"]`).forEach((edge) => {
        edge.classList.add('lit');
        const other = edge.dataset.from === id ? edge.dataset.to : edge.dataset.from;
        svg.querySelector(`[data-n="${other}"]`)?.classList.add('lit');
      });
    };
    svg.querySelectorAll('[data-n]').forEach((node) => {
      node.addEventListener('mouseenter', () => mark(node));
      node.addEventListener('mouseleave', () => mark(null));
      node.addEventListener('click', () => markLine(Number(node.dataset.line || 0), true));
    });
    const nodes = [...svg.querySelectorAll('[data-n]')];
    let at = -1;
    svg.setAttribute('tabindex', '0');
    svg.addEventListener('blur', () => mark(null));
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') mark(null);
      if (!step || !nodes.length) return;
      event.preventDefault();
      at = (at + step + nodes.length) % nodes.length;
      mark(nodes[at]);
      markLine(Number(nodes[at].dataset.line || 0), true);
      nodes[at].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  });
  document.documentElement.classList.add('scripted');
})();
