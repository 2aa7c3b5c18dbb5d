import type * as z from 'zod'
import { askApp, type OperatorPlace, type OperatorRequest } from '../cloudflare/apps.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { requireCloud } from '../connections/cloud.ts'
import { signerOf, type Signer } from '../crypto/signer.ts'
import { ApiError, type ErrorCode } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import { operatorDoor } from './capability.ts'

/** A project as a call to its app needs it. */
export interface Operated {
  id: string
  org_id: string
  slug: string
}

/** The pair that speaks for a project's operator: derived, so there is no key to lose, and none in the database. */
export const operatorSigner = (platform: Pick<Platform, 'keyring'>, project: { id: string }): Signer =>
  signerOf(platform.keyring, 'operator-token', project.id)

/** Where the app of a project answers its operator. */
export async function operatorPlace(platform: Platform, project: Operated): Promise<OperatorPlace> {
  const { subdomain } = await requireCloud(platform, project.org_id)
  const { name } = operatorDoor(project)
  const url = platform.config.cloudflare.appUrl(name, subdomain)
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
  const answer = await askApp(place, request, platform.clock.now())
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
