import { type GenericEndpointContext, getCurrentAdapter } from 'better-auth'

const SSO_ROUTES = ['/sso/callback/:providerId', '/sso/saml2/sp/acs/:providerId']

/** Returns the id of the identity provider whose response this request carries, or null when it carries none. */
export function ssoProviderOf(context: GenericEndpointContext | null): string | null {
  if (context === null || !SSO_ROUTES.includes(context.path)) return null
  const id: unknown = context.params?.['providerId']
  return typeof id === 'string' ? id : null
}

/**
 * Adds a person to the organization whose identity provider signs them in, and returns the organization. The role
 * comes from an open invitation, or else is `member`. Runs in the transaction that creates the session. A lock on the
 * provider makes parallel first sign-ins wait for each other.
 */
export async function joinThroughSso(
  context: GenericEndpointContext,
  { providerId, userId, now }: { providerId: string; userId: string; now: Date },
): Promise<string> {
  const adapter = await getCurrentAdapter(context.context.adapter)
  const provider = await adapter.findOne<{ organizationId: string }>({
    model: 'ssoProvider',
    where: [{ field: 'providerId', value: providerId }],
    select: ['organizationId'],
  })
  if (provider === null) throw new Error(`The provider ${providerId} no longer exists.`)
  const { organizationId } = provider
  const inOrganization = { field: 'organizationId', value: organizationId }
  const member = await adapter.findOne({
    model: 'member',
    where: [inOrganization, { field: 'userId', value: userId }],
  })
  if (member !== null) return organizationId
  const user = await adapter.findOne<{ email: string }>({
    model: 'user',
    where: [{ field: 'id', value: userId }],
  })
  const invitation = await adapter.findOne<{ id: string; role: string | null }>({
    model: 'invitation',
    where: [
      inOrganization,
      { field: 'email', value: user?.email ?? '' },
      { field: 'status', value: 'pending' },
      { field: 'expiresAt', value: now, operator: 'gt' },
    ],
  })
  if (invitation !== null)
    await adapter.update({
      model: 'invitation',
      where: [{ field: 'id', value: invitation.id }],
      update: { status: 'accepted' },
    })
  const role = invitation?.role ?? 'member'
  await adapter.create({ model: 'member', data: { organizationId, userId, role, createdAt: now } })
  return organizationId
}
