import type * as z from 'zod'
import {
  type AppRefusal,
  callApp,
  fetchApp,
  type AdminWorkerAddress,
  type OperatorRequest,
  readAppResponse,
} from '../../cloudflare/app-client.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import type { CloudResponse } from '../../cloudflare/fetch.ts'
import type { Signer } from '../../crypto/signer.ts'
import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import type { PlatformPorts } from '../../platform.ts'
import { adminName } from '../../resource-names.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { OutdatedAppError } from './outdated-app.ts'

export interface OperatedProject extends Omit<ProjectRef, 'name'> {
  /** The account whose app is called. By default this is the project's account. */
  accountId?: string | undefined
}

/** A project whose name the activity log shows. */
export type LoggedProject = OperatedProject & { name: string }

/** Signs the requests that the service sends to a project's admin and live workers as the operator of the app. */
export const operatorSigner = (platform: PlatformPorts<'accounts'>, project: { id: string }): Signer =>
  platform.accounts.workerSigner('operator-token', project)

/** Returns the address of a project's admin worker and the signer for it. */
export async function adminWorkerAddress(
  platform: PlatformPorts<'accounts'>,
  project: OperatedProject,
): Promise<AdminWorkerAddress> {
  const { accountId } = project
  const { subdomain, endpoints } = await platform.accounts.requireCloud(project.org_id, {
    project,
    accountId,
  })
  const name = adminName(project)
  const url = endpoints.appUrl(name, subdomain)
  return { name, url, signer: operatorSigner(platform, project) }
}

/** Error codes of the app that the API returns unchanged. */
const UNCHANGED_ERROR_CODES: readonly string[] = [
  'invalid_request',
  'not_found',
  'not_enabled',
  'conflict',
  'rate_limited',
  'model_error',
]

/**
 * The admin worker's message for an unknown path. The message shows that the path is unknown and not a record, so the
 * worker is outdated.
 */
const NO_ADDRESS = 'No such address.'

/**
 * Calls a project's app as its operator, which is the organization that owns it. Throws an `ApiError` with the app's
 * message when the app refuses, and `OutdatedAppError` for a path that the deployed version of the app does not have
 * yet.
 */
export async function callOperator<T>(
  platform: PlatformPorts<'accounts'>,
  project: OperatedProject,
  request: OperatorRequest & { result: z.ZodType<T> },
): Promise<T> {
  const worker = await adminWorkerAddress(platform, project)
  // The admin worker compares the expiry with the system clock, so a test clock cannot be used.
  const result = await callApp(worker, request, systemClock.now())
  if ('data' in result) {
    const read = request.result.safeParse(result.data)
    if (read.success) return read.data
    throw new CloudflareError(
      'upstream',
      'The deployed app returned an unexpected response. Ship it again.',
      {
        status: null,
        cause: read.error,
      },
    )
  }
  throw errorOfRefusal(result.refusal)
}

/** Like `callOperator`, for a request whose result is bytes. Returns the response with its body unread. */
export async function callOperatorForBytes(
  platform: PlatformPorts<'accounts'>,
  project: OperatedProject,
  request: OperatorRequest,
): Promise<CloudResponse> {
  const worker = await adminWorkerAddress(platform, project)
  const response = await fetchApp(worker, request, systemClock.now())
  if (response.ok) return response
  const result = await readAppResponse(response)
  if ('refusal' in result) throw errorOfRefusal(result.refusal)
  throw new CloudflareError('upstream', 'The deployed app returned an unexpected response. Ship it again.', {
    status: response.status,
  })
}

/** Converts a refusal of the app to the error that the API returns. */
export function errorOfRefusal({ status, code, message, retryAfterSeconds }: AppRefusal): Error {
  if (code === 'not_found' && message === NO_ADDRESS) return new OutdatedAppError()
  if (UNCHANGED_ERROR_CODES.includes(code))
    return new ApiError(code as ErrorCode, message, retryAfterSeconds === null ? {} : { retryAfterSeconds })
  // The app is busy, and its message says why. The error is marked as retryable, so callers repeat the call as they do after a
  // provider error.
  if (code === 'unavailable')
    return new CloudflareError('upstream', message, {
      status,
      retryable: true,
      isPause: true,
      retryAfterSeconds,
    })
  return new CloudflareError('upstream', `The deployed app refused its operator: ${message}`, { status })
}
