import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../testing/cpu.ts'
import { sampleTree } from '../../testing/apps/sample-app.ts'
import { nestingProblem } from './nesting.ts'

const DEEP: [name: string, path: string, text: string][] = [
  ['rules', 'web/a.css', 'a{'.repeat(201)],
  ['lists', 'app.json', '['.repeat(201)],
  ['brackets of all kinds', 'shared/a.ts', '({['.repeat(70)],
  ['elements', 'web/A.tsx', `x = ${'<div><p>'.repeat(101)}`],
  ['fragments', 'web/A.tsx', `x = ${'<>'.repeat(201)}`],
  ['elements with expressions between', 'web/A.tsx', `x = ${'<a>{'.repeat(101)}`],
]
for (const [name, path, text] of DEEP)
  test(`more than 200 levels of nested ${name} are refused as too deep`, () => {
    assert.match(nestingProblem(path, text) ?? '', /more than 200 levels/)
  })

const SHALLOW: [name: string, path: string, text: string][] = [
  ['200 levels of brackets', 'web/a.css', 'a{'.repeat(200)],
  ['brackets in strings', 'shared/a.ts', `['(', "[", '\\'{']\n`.repeat(500)],
  ['brackets in comments', 'shared/a.ts', '// :-( {\n/* ((( \n */\n'.repeat(500)],
  ['addresses in styles', 'web/a.css', 'a { background: url(http://x.test/a.png) }\n'.repeat(500)],
  ['elements beside each other', 'web/A.tsx', `<p>{a && <b>don't</b>}</p><br/>\n`.repeat(500)],
  ['generics and comparisons', 'web/A.tsx', 'f<string>(a <b, <T,>(x: T) => x, Map<A, B<C>>)\n'.repeat(500)],
  ['text that is not code', 'shared/a.md', '('.repeat(500)],
]
for (const [name, path, text] of SHALLOW)
  test(`${name} are not refused as too deeply nested`, () => assert.equal(nestingProblem(path, text), null))

test('the files of the sample app are not refused as nested too deeply', () => {
  for (const [path, text] of sampleTree()) assert.equal(nestingProblem(path, text), null, path)
})

const HOSTILE = ['/*', "'", '"', '"\\', ' <', '</a', '/', '<a ', '{]', '// ', "'\n"]
for (const piece of HOSTILE)
  test(`measuring the nesting of a text that repeats ${JSON.stringify(piece)} takes linear time`, () => {
    const took = (n: number) =>
      Math.min(
        ...[1, 2, 3].map(() => cpuMs(() => nestingProblem('web/A.tsx', piece.repeat(n / piece.length)))),
      )
    const [short, long] = [took(20_000), took(200_000)]
    // Ten times the text may take about ten times as long. Quadratic work would take a hundred times as long.
    assert.ok(long < 40 * Math.max(short, 1), `${short} ms, then ${long} ms`)
  })
