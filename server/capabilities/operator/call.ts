import type * as z from 'zod'
import { askApp, type OperatorPlace, type OperatorRequest } from '../../cloudflare/apps.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { requireCloud } from '../../connections/cloud.ts'
import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Platform } from '../../platform.ts'
import { operatorDoor } from '../capability.ts'
import { operatorSigner } from './key.ts'

/** A project as a call to its app needs it. */
export interface Operated {
  id: string
  org_id: string
  slug: string
  /** Asks the app in this account, wherever the project lives. */
  accountId?: string | undefined
}

/** Where the app of a project answers its operator. */
export async function operatorPlace(platform: Platform, project: Operated): Promise<OperatorPlace> {
  const { accountId } = project
  const { subdomain, endpoints } = await requireCloud(platform, project.org_id, { project, accountId })
  const { name } = operatorDoor(project)
  const url = endpoints.appUrl(name, subdomain)
  return { name, url, signer: operatorSigner(platform, project) }
}

/** What an app may refuse an operator with, as the API's own refusal. */
const PASSED_ON: readonly string[] = [
  'invalid_request',
  'not_found',
  'not_enabled',
  'conflict',
  'rate_limited',
]

/** Asks a project's app as its operator; a refusal of the app is thrown as ours, with its message. */
export async function callOperator<T>(
  platform: Platform,
  project: Operated,
  request: OperatorRequest & { result: z.ZodType<T> },
): Promise<T> {
  const place = await operatorPlace(platform, project)
  // A token lives for seconds and is judged by the clock of another machine: only the real time will do.
  const answer = await askApp(place, request, systemClock.now())
  if ('data' in answer) {
    const read = request.result.safeParse(answer.data)
    if (read.success) return read.data
    throw new CloudflareError('upstream', 'The deployed app did not answer as expected. Ship it again.', {
      status: null,
      cause: read.error,
    })
  }
  const { status, code, message } = answer.refusal
  if (PASSED_ON.includes(code)) throw new ApiError(code as ErrorCode, message)
  throw new CloudflareError('upstream', `The deployed app refused its operator: ${message}`, { status })
}
