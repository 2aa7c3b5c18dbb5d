import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rankModels } from './choice.ts'

const recommended = (...ids: string[]) => rankModels(ids).find((model) => model.recommended)?.id

describe('the recommended model', () => {
  test('the newest model of the preferred family is recommended, and of two names that differ only by a date, the undated one', () => {
    const lists: [ids: string[], best: string][] = [
      [
        ['claude-haiku-4-5', 'claude-sonnet-4-20250514', 'claude-sonnet-4-5-20250929'],
        'claude-sonnet-4-5-20250929',
      ],
      [['claude-opus-4-1', 'claude-3-7-sonnet-latest'], 'claude-opus-4-1'],
      [['gpt-4.1', 'gpt-5-mini', 'gpt-5', 'gpt-5.2-2025-12-11', 'gpt-5.2', 'gpt-5.2-pro'], 'gpt-5.2'],
      [
        ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3-pro-preview', 'gemini-3-pro-image-preview'],
        'gemini-3-pro-preview',
      ],
      [
        ['meta-llama/llama-3.3-70b', 'anthropic/claude-sonnet-4', 'anthropic/claude-sonnet-4.5'],
        'anthropic/claude-sonnet-4.5',
      ],
      [['grok-3', 'grok-4-0709', 'grok-2-vision'], 'grok-4-0709'],
      [['llama3.2:3b', 'qwen2.5-coder:7b', 'qwen3-coder:30b'], 'qwen3-coder:30b'],
    ]
    for (const [ids, best] of lists) assert.equal(recommended(...ids), best)
  })

  test('when no listed model is of a preferred family, the first text model is recommended', () => {
    assert.equal(
      recommended('text-embedding-nomic-embed-text-v1.5', 'my-own-model', 'another'),
      'my-own-model',
    )
  })

  test("the recommended model is listed first, the other models follow in the provider's order, and models that do not generate text are left out", () => {
    assert.deepEqual(rankModels(['whisper-large-v3', 'zeta', 'gpt-5', 'alpha', 'zeta']), [
      { id: 'gpt-5', recommended: true },
      { id: 'zeta', recommended: false },
      { id: 'alpha', recommended: false },
    ])
  })

  test('when a provider lists only models that do not generate text, all of them are offered; an empty list remains empty', () => {
    assert.deepEqual(rankModels(['embed-everything']), [{ id: 'embed-everything', recommended: true }])
    assert.deepEqual(rankModels([]), [])
  })
})
