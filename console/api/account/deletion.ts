import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/**
 * What deleting the account would delete, and what blocks it. Read again on every visit, because a decision must not rest on stale data.
 */
export const deletionQuery = () =>
  queryOptions({
    queryKey: queryKeys.deletion,
    queryFn: ({ signal }) => call(api.readAccountDeletion({ signal })),
    staleTime: 0,
  })

interface DeletionRequest {
  confirm: string
  /**
   * Whether to complete the deletion even when the cloud provider refuses to remove a resource. That resource then stays in the cloud
   * account.
   */
  leaveStuck: boolean
  /** Aborting this signal stops the deletion before its next step. The current step is completed. */
  signal: AbortSignal
  onStep: (plan: AccountDeletion) => void
}

/**
 * Requests deletion steps one after another until the account is deleted, a resource could not be removed, or the signal is aborted.
 * Returns the last response.
 */
export async function deleteAccount({
  confirm,
  leaveStuck,
  signal,
  onStep,
}: DeletionRequest): Promise<AccountDeletion> {
  for (;;) {
    const plan = await call(api.stepAccountDeletion({ body: { confirm, leaveStuck } }))
    onStep(plan)
    if (plan.deletion !== null || plan.failed.length > 0 || signal.aborted) return plan
  }
}
