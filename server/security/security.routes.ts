import { endpoint, group } from '../endpoint.ts'
import { PolicyInput, readPolicy, SecurityPolicy, updatePolicy } from './policy.ts'

export const securityRoutes = group('Security', {
  readSecurityPolicy: endpoint({
    route: 'GET /security',
    scope: 'session',
    summary: 'Read the security policy',
    returns: SecurityPolicy,
    handle: ({ ctx }) => readPolicy(ctx),
  }),
  updateSecurityPolicy: endpoint({
    route: 'PUT /security',
    scope: 'session',
    role: 'admin',
    summary: 'Set the security policy',
    description:
      "Requiring single sign-on or two-factor, or shortening the session lifetime, signs every member out. The addresses must include the caller's own; they apply to API keys too.",
    body: PolicyInput,
    returns: SecurityPolicy,
    fails: ['payment_required'],
    handle: ({ ctx, body }) => updatePolicy(ctx, body),
  }),
})
