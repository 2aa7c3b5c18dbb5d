import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { jsonStorableValue } from './json.ts'
import { FLOW_STATES, flowState, hasEnded } from './states.ts'

const MIB = 1024 * 1024

test('inputs and results of a flow are stored as JSON.stringify serializes them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(jsonStorableValue(value, 'input'), JSON.parse(JSON.stringify(value)))
    }),
  )
  assert.equal(jsonStorableValue(undefined, 'input'), null)
  assert.deepEqual(jsonStorableValue({ at: new Date(0), gone: undefined }, 'input'), {
    at: '1970-01-01T00:00:00.000Z',
  })
})

test('an input or result of a flow that cannot be serialized as JSON is rejected with an error that names its field', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  for (const value of [circle, 5n, { n: 5n }, () => 5, Symbol('x')])
    assert.throws(() => jsonStorableValue(value, 'output'), {
      code: 'invalid_request',
      field: 'output',
      message: 'output: must be JSON',
    })
})

test('an input or result of a flow may have at most one mebibyte of JSON, measured in bytes', () => {
  const text = 'x'.repeat(MIB - 2)
  assert.equal(jsonStorableValue(text, 'input'), text)
  assert.throws(() => jsonStorableValue(`${text}x`, 'input'), {
    field: 'input',
    message: 'input: is larger than 1 MiB',
  })
  assert.throws(() => jsonStorableValue('é'.repeat(MIB / 2), 'input'), { field: 'input' })
})

test('every Cloudflare workflow status maps to a flow state, and an unknown status counts as running', () => {
  const native = [
    'queued',
    'waiting',
    'paused',
    'waitingForPause',
    'running',
    'complete',
    'errored',
    'terminated',
  ]
  const states = native.map(flowState)
  assert.deepEqual(states, [
    'queued',
    'waiting',
    'paused',
    'paused',
    'running',
    'complete',
    'failed',
    'cancelled',
  ])
  assert.deepEqual(new Set(states), new Set(FLOW_STATES))
  for (const unknown of ['', 'new word', 'Queued']) assert.equal(flowState(unknown), 'running', unknown)
  assert.deepEqual(FLOW_STATES.filter(hasEnded), ['complete', 'failed', 'cancelled'])
})
