import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { createRenderer } from './renderer.ts'
import { renderSettingsOf } from './settings.ts'
import type { RenderBinding } from './types.ts'

const counter = {
  renders: async <Kind>(kind: Kind) => ({
    ok: true,
    value: kind === 'begin' ? { id: 'a', settings: renderSettingsOf({}) } : null,
  }),
} as RenderBinding

const rendererWith = (answer: string) =>
  createRenderer(() => ({ browser: { quickAction: async () => new Response(answer) }, counter, own: [] }))

describe('the text of a rendered page', () => {
  test('rendering a page as Markdown returns the text from the response of the browser service', async () => {
    assert.equal(await rendererWith('{"result":"# Hi"}').markdown({ html: '<h1>Hi</h1>' }), '# Hi')
  })

  test('rendering as Markdown fails as unavailable when the response of the browser service contains no text', async () => {
    for (const answer of ['{}', 'null', '{"result":1}'])
      await assert.rejects(
        rendererWith(answer).markdown({ html: '<h1>Hi</h1>' }),
        (error) => error instanceof ApiError && error.code === 'unavailable',
        answer,
      )
  })
})
