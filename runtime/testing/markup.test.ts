import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspectMarkup } from './markup.ts'

const errorsOf = (html: string) => inspectMarkup(html).errors

describe('the markup of a page', () => {
  test('a form control counts as labelled by a label around it, a label for it, or an attribute', () => {
    const html =
      '<label>Name <input/></label><label for="a">Age</label><input id="a"/><select aria-label="Level"></select><input type="hidden"/>'
    assert.deepEqual(errorsOf(html), [])
    assert.deepEqual(errorsOf('<label for="b">Age</label><textarea id="a" name="note"></textarea>'), [
      '<textarea name="note"> has no label: use a field of the kit, a <label>, or an aria-label.',
    ])
  })

  test('a button or link counts as named by its text, an image in it, or an attribute', () => {
    const html =
      '<button><span>Add</span></button><a href="/"><img src="/x" alt="Home"/></a><button aria-label="Close"><svg><path d="M1"/></svg></button>'
    assert.deepEqual(errorsOf(html), [])
    assert.match(String(errorsOf('<a href="/x"><svg></svg></a>')), /^<a href="\/x"> has no name/)
    assert.deepEqual(errorsOf('<a id="anchor"></a>'), [], 'a place that is linked to needs no name')
  })

  test('a markup problem that occurs twice is reported once', () => {
    assert.equal(errorsOf('<img src="/x"/><img src="/x"/>').length, 1)
  })

  test('one primary button on a page is accepted, and a second one is reported', () => {
    const button = '<button class="button button-primary">Add</button>'
    assert.deepEqual(inspectMarkup(button).warnings, [])
    assert.match(String(inspectMarkup(button + button).warnings), /^2 buttons/)
  })
})
