import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { attachProjectDomain } from './attach.ts'
import { removeProjectDomain } from './detach.ts'
import { DOMAIN_STATES } from './facts.ts'
import { Hostname } from './hostname.ts'
import { onboardDomain } from './onboard.ts'
import { getDomainStatus } from './status.ts'

const DomainStatus = z
  .object({
    state: z.enum(DOMAIN_STATES),
    hostname: z.string().nullable(),
    /** The app's address; null until the state is `active`. */
    url: z.string().nullable(),
    zone: z.object({ name: z.string(), status: z.string() }).nullable(),
    /** The name servers to set at the domain's registrar. Empty except in the state `pending_nameservers`. */
    nameServers: z.array(z.string()),
    /** The provider's status for the certificate. */
    certificate: z.string().nullable(),
    /** DNS records that conflict with the domain. They are never overwritten. */
    conflicts: z.array(z.object({ type: z.string(), content: z.string() })),
    message: z.string().nullable(),
    checkedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DomainStatus' })

export const domainRoutes = group('Email and domain', {
  getDomainStatus: endpoint({
    route: 'GET /projects/:projectId/domain/status',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the state of the custom domain',
    description:
      'At most a minute old; `fresh=1` reads it again, at most every 5 seconds, and asks the provider to check the name servers of a domain that waits for them.',
    query: z.object({ fresh: z.enum(['0', '1']).default('0') }),
    returns: DomainStatus,
    handle: ({ ctx, params, query }) => getDomainStatus(ctx, params.projectId, query.fresh === '1'),
  }),
  onboardDomain: endpoint({
    route: 'POST /projects/:projectId/domain/onboard',
    scope: 'deploy:write',
    needs: ['accounts'],
    summary: 'Set the host name of the app',
    description:
      'Its domain must be in the connected cloud account already. Needs the Starter plan or a larger one. A name that another project uses is a conflict.',
    body: z.object({ hostname: Hostname }),
    returns: DomainStatus,
    fails: ['payment_required', 'conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => onboardDomain(ctx, params.projectId, body.hostname),
  }),
  attachDomain: endpoint({
    route: 'POST /projects/:projectId/domain/attach',
    scope: 'deploy:write',
    needs: ['accounts', 'widgets'],
    summary: 'Route the domain to the live app and order its certificate',
    description:
      'Shipping does this, too. An existing DNS record of the name is a conflict and is never overwritten.',
    returns: DomainStatus,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => attachProjectDomain(ctx, params.projectId),
  }),
  removeDomain: endpoint({
    route: 'DELETE /projects/:projectId/domain',
    scope: 'deploy:write',
    needs: ['accounts'],
    summary: 'Take the custom domain off the app',
    description: 'The app keeps serving at its own address. Without a domain the call changes nothing.',
    returns: DomainStatus,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => removeProjectDomain(ctx, params.projectId),
  }),
})
