import * as z from 'zod'
import { errorFromResponse, CloudflareError, unreachable, type ProviderMessage } from './errors.ts'
import type { CloudResponse } from './fetch.ts'
import { parseJson } from '../lib/json.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'
import { permissionFor } from './permissions.ts'

const Envelope = z.looseObject({
  success: z.boolean().optional(),
  errors: z.array(z.looseObject({ code: z.number().optional(), message: z.string() })).nullish(),
  result: z.unknown().optional(),
})

interface ExpectedResponse<T> {
  path: string
  doing: string
  result: z.ZodType<T>
  missing?: 'null' | 'error'
  isWhole?: true
}

/**
 * Reads the JSON envelope of a response and returns its `result`, validated, or null for a missing resource.
 * Throws a `CloudflareError` when the status or the body reports an error.
 */
export async function readResponse<T>(
  response: CloudResponse,
  expected: ExpectedResponse<T>,
): Promise<T | null> {
  const text = await response.text().catch((cause: unknown) => {
    throw unreachable(cause)
  })
  const body = parseJson(text)
  const envelope = Envelope.safeParse(body).data
  if (response.ok && envelope?.success !== false) {
    return parseResult(expected.isWhole === true ? body : envelope?.result, expected, response.status)
  }
  if (response.status === 404 && expected.missing === 'null') return null
  throw errorFromResponse(response.status, firstMessage(envelope), {
    doing: expected.doing,
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    permission: permissionFor(expected.path)?.label ?? null,
  })
}

function parseResult<T>(result: unknown, expected: ExpectedResponse<T>, status: number): T {
  const read = expected.result.safeParse(result)
  if (read.success) return read.data
  // The error contains only the paths of keys, because values may be secrets.
  const paths = read.error.issues.map((issue) => issue.path.join('.')).join(', ')
  throw new CloudflareError(
    'upstream',
    `The cloud account returned an unexpected response when asked to ${expected.doing}.`,
    {
      status,
      isClear: false,
      cause: `unexpected response at: ${paths}`,
    },
  )
}

function firstMessage(envelope: z.output<typeof Envelope> | undefined): ProviderMessage | null {
  const first = envelope?.errors?.[0]
  return first === undefined ? null : { code: first.code ?? null, message: first.message }
}
