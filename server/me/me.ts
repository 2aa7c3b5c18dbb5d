import type { Caller } from '../http/caller.ts'
import { SCOPES } from '../http/endpoint.ts'

/** The caller's own record. */
export function describeCaller(caller: Caller) {
  const { userId, userName, email, organizationId, organizationName, role, scopes, plan } = caller
  return {
    user: userId === null ? null : { id: userId, name: userName ?? '', email: email ?? '' },
    organization: { id: organizationId, name: organizationName },
    role,
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    plan,
  }
}
