import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { limitParam } from './query.ts'
import { validate } from './validate.ts'

const Body = z.object({
  title: z.string().trim().min(1).max(200),
  code: z.string().min(3).optional(),
  status: z.enum(['todo', 'done']).optional(),
  inherit: z.literal(true).optional(),
  labels: z.array(z.string().min(1)).max(2).optional(),
  scopes: z.array(z.string()).min(1).optional(),
  dueAt: z.iso.datetime({ offset: true }).nullable().optional(),
  baseUrl: z.url().optional(),
  days: z.int().min(1).max(3650).optional(),
  minutes: z.number().positive().lt(120).optional(),
  enabled: z.boolean().optional(),
  limits: z.object({ steps: z.int() }).optional(),
  value: z.union([z.string(), z.array(z.string())]).optional(),
  limit: limitParam(100).optional(),
})

describe('a refused field', () => {
  const cases: [object, string][] = [
    [{}, 'title: is required'],
    [{ title: null }, 'title: must be a string'],
    [{ title: ' ' }, 'title: must not be empty'],
    [{ title: 'x'.repeat(201) }, 'title: must have at most 200 characters'],
    [{ code: 'ab' }, 'code: must have at least 3 characters'],
    [{ status: 'open' }, 'status: must be one of todo, done'],
    [{ inherit: false }, 'inherit: must be true'],
    [{ labels: ['a', ''] }, 'labels.1: must not be empty'],
    [{ labels: ['a', 'b', 'c'] }, 'labels: must have at most 2 items'],
    [{ labels: 'a' }, 'labels: must be a list'],
    [{ scopes: [] }, 'scopes: must not be empty'],
    [{ dueAt: 'tomorrow' }, 'dueAt: must be a date and time in ISO 8601, like 2026-11-20T18:00:00Z'],
    [{ baseUrl: 'x' }, 'baseUrl: must be an address like https://example.com'],
    [{ days: 0 }, 'days: must be at least 1'],
    [{ days: 4000 }, 'days: must be at most 3650'],
    [{ days: 1.5 }, 'days: must be a whole number'],
    [{ days: '1' }, 'days: must be a number'],
    [{ minutes: 0 }, 'minutes: must be more than 0'],
    [{ minutes: 120 }, 'minutes: must be less than 120'],
    [{ enabled: 'yes' }, 'enabled: must be true or false'],
    [{ limits: [] }, 'limits: must be an object'],
    [{ limits: {} }, 'limits.steps: is required'],
    [{ value: 1 }, 'value: does not have any of the accepted forms'],
    // A schema with its own message keeps that message.
    [{ limit: '0' }, 'limit: must be a whole number from 1 to 100'],
  ]
  for (const [change, message] of cases)
    test(`a wrong field is refused with the message "${message}"`, () => {
      const body = message.startsWith('title') ? change : { title: 'One', ...change }
      assert.throws(() => validate(Body, body, 'body'), { code: 'invalid_request', message })
    })
})
