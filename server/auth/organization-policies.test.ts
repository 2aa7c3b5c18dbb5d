import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { cookieOf, type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'

describe("organization policies on the auth library's routes", () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  let people = 0
  /** Ada owns two organizations. The first has a policy that no session in this test fulfils; the second is active. */
  let ada: Awaited<ReturnType<MinimalApp['signUp']>>
  let strict: { id: string; slug: string }
  let open: { id: string; slug: string }

  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [])
  })
  beforeEach(async () => {
    ada = await app.signUp(`Ada ${++people}`)
    strict = await database.db
      .selectFrom('member as m')
      .innerJoin('organization as o', 'o.id', 'm.organizationId')
      .select(['o.id', 'o.slug'])
      .where('m.userId', '=', ada.userId)
      .executeTakeFirstOrThrow()
    const create = await postOrganization('create', ada.cookie, { name: 'Open', slug: `open-${people}` })
    open = (await create.json()) as typeof open
    await setPolicy(strict.id, { require_two_factor: true })
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  const postOrganization = (path: string, cookie: string, body: object) =>
    app.send('POST', `/api/auth/organization/${path}`, { cookie }, body)
  const getOrganization = (path: string, cookie = ada.cookie) =>
    app.send('GET', `/api/auth/organization/${path}`, { cookie })
  const setPolicy = (org_id: string, row: object) =>
    database.db
      .insertInto('security_policies')
      .values({
        org_id,
        require_sso: false,
        require_two_factor: false,
        session_lifetime_days: null,
        allowed_ips: [],
        updated_at: app.clock.now(),
        created_at: app.clock.now(),
        ...row,
      })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
      .execute()
  const codeOf = async (answer: Response) =>
    ((await answer.json()) as { error?: { code: string } }).error?.code ?? answer.status
  const newGuest = (more: object = {}) => ({ email: `guest.${people}@acme.test`, role: 'member', ...more })
  const invitationsOf = async (organizationId: string) =>
    (
      await database.db
        .selectFrom('invitation')
        .select('id')
        .where('organizationId', '=', organizationId)
        .where('status', '=', 'pending')
        .execute()
    ).length

  test('a session cannot invite people into an organization whose policy it does not meet', async () => {
    for (const organizationId of [strict.id, strict.slug])
      assert.equal(
        await codeOf(await postOrganization('invite-member', ada.cookie, newGuest({ organizationId }))),
        'two_factor_required',
      )
    const inQuery = await postOrganization(
      `invite-member?organizationId=${strict.id}`,
      ada.cookie,
      newGuest(),
    )
    assert.equal(await codeOf(inQuery), 'two_factor_required')
    assert.equal(await invitationsOf(strict.id), 0)
    assert.equal(
      await codeOf(
        await postOrganization('invite-member', ada.cookie, newGuest({ organizationId: open.id })),
      ),
      200,
    )
    assert.equal(await invitationsOf(open.id), 1)
  })

  test('a session cannot read, change or leave an organization whose policy it does not meet, or use its invitations', async () => {
    await setPolicy(strict.id, { require_two_factor: false })
    const invited = await postOrganization(
      'invite-member',
      ada.cookie,
      newGuest({ organizationId: strict.id }),
    )
    const { id: invitationId } = (await invited.json()) as { id: string }
    await setPolicy(strict.id, { require_two_factor: true })
    const refused = [
      getOrganization(`get-full-organization?organizationId=${strict.id}`),
      getOrganization(`get-full-organization?organizationSlug=${strict.slug}`),
      getOrganization(`get-full-organization?organizationId=${open.id}&organizationSlug=${strict.slug}`),
      getOrganization(`get-full-organization?organizationId=${open.id}&organizationId=${strict.id}`),
      getOrganization(`list-members?organizationSlug=${strict.slug}`),
      getOrganization(`list-invitations?organizationId=${strict.id}`),
      getOrganization(`get-invitation?id=${invitationId}`),
      postOrganization('update', ada.cookie, { organizationId: strict.id, data: { name: 'Taken' } }),
      postOrganization('cancel-invitation', ada.cookie, { invitationId }),
      postOrganization('remove-member', ada.cookie, {
        organizationId: strict.id,
        memberIdOrEmail: ada.email,
      }),
      postOrganization('leave', ada.cookie, { organizationId: strict.id }),
    ]
    for (const [index, answer] of refused.entries())
      assert.equal(await codeOf(await answer), 'two_factor_required', String(index))
    assert.equal(await invitationsOf(strict.id), 1)
  })

  test('the policy of the active organization applies, whatever organization the request names', async () => {
    assert.equal(
      (await postOrganization('set-active', ada.cookie, { organizationId: strict.id })).status,
      200,
    )
    const tries = [{}, { organizationId: '' }, { organizationId: open.id }, { organizationId: 'unknown' }]
    for (const more of tries)
      assert.equal(
        await codeOf(await postOrganization('invite-member', ada.cookie, newGuest(more))),
        'two_factor_required',
      )
    assert.equal(await invitationsOf(strict.id), 0)
    assert.equal(await codeOf(await getOrganization('get-full-organization')), 'two_factor_required')
  })

  test('routes that switch the active organization work under every policy', async () => {
    await postOrganization('set-active', ada.cookie, { organizationId: strict.id })
    assert.equal((await getOrganization('list')).status, 200)
    assert.notEqual(await codeOf(await getOrganization('list-user-invitations')), 'two_factor_required')
    assert.equal((await postOrganization('set-active', ada.cookie, { organizationId: open.id })).status, 200)
    assert.equal((await getOrganization('get-full-organization')).status, 200)
  })

  test('an invitation into an organization with a strict policy can be accepted and rejected', async () => {
    const host = await app.signUp(`Host ${++people}`)
    for (const what of ['accept', 'reject']) {
      const invited = await postOrganization('invite-member', host.cookie, {
        email: ada.email,
        role: 'member',
      })
      const { id: invitationId, organizationId } = (await invited.json()) as {
        id: string
        organizationId: string
      }
      await setPolicy(organizationId, { allowed_ips: ['10.0.0.0/8'] })
      assert.equal(
        (await postOrganization(`${what}-invitation`, ada.cookie, { invitationId })).status,
        200,
        what,
      )
      await setPolicy(organizationId, { allowed_ips: [] })
      await postOrganization('remove-member', host.cookie, { memberIdOrEmail: ada.email })
    }
  })

  test("allowed IP addresses and session lifetimes apply to the auth library's routes, and an expired session is ended", async () => {
    await setPolicy(open.id, { allowed_ips: ['10.0.0.0/8'] })
    assert.equal(await codeOf(await getOrganization('get-full-organization')), 'ip_not_allowed')
    await setPolicy(open.id, { allowed_ips: [], session_lifetime_days: 1 })
    assert.equal((await getOrganization('get-full-organization')).status, 200)
    const began = app.clock.at
    app.clock.at = new Date(began.getTime() + 25 * 3_600_000)
    assert.equal(await codeOf(await getOrganization('get-full-organization')), 'unauthorized')
    app.clock.at = began
    assert.equal(await codeOf(await getOrganization('get-full-organization')), 401)
  })

  test('when one request has the session cookies of two people, the policy is checked for the person for whom the request acts', async () => {
    const other = await app.signUp(`Other ${++people}`)
    await postOrganization('set-active', ada.cookie, { organizationId: strict.id })
    const tokenOf = (cookie: string) =>
      cookie.split('; ').find((pair) => pair.includes('session_token')) ?? ''
    const [token, adas] = [tokenOf(other.cookie), tokenOf(ada.cookie)]
    const session = await app.request('/api/auth/get-session', { headers: { cookie: adas } })
    const copy = cookieOf(session)
    assert.match(copy, /^slipway\.session_data=/)
    // Ada's active organization requires a second factor that her session lacks. Whichever session cookies of Ada
    // and of the other person a request combines, the request acts for the other person or is refused.
    for (const cookie of [`${adas}; ${token}`, `${token}; ${copy}`, `${adas}; ${token}; ${copy}`]) {
      const answer = await getOrganization('get-full-organization', cookie)
      const { members } = (await answer.json()) as { members?: { userId: string }[] }
      assert.deepEqual(
        members?.map((member) => member.userId),
        [other.userId],
      )
    }
    assert.equal(
      await codeOf(await getOrganization('get-full-organization', `${token}; ${adas}`)),
      'two_factor_required',
    )
  })

  test('a request with a session that was ended is refused at once, although sessions are cached for a minute', async () => {
    const copy = cookieOf(await app.request('/api/auth/get-session', { headers: { cookie: ada.cookie } }))
    const cookie = `${ada.cookie}; ${copy}`
    assert.equal((await getOrganization('get-full-organization', cookie)).status, 200)
    await database.db.deleteFrom('session').where('userId', '=', ada.userId).execute()
    assert.equal((await getOrganization('get-full-organization', cookie)).status, 401)
    assert.equal((await postOrganization('invite-member', cookie, newGuest())).status, 401)
  })

  test('a request without a session is refused by the organization routes of the auth library', async () => {
    for (const cookie of ['', 'slipway.session_token=x.y', `x${ada.cookie}`])
      assert.equal(await codeOf(await getOrganization('get-full-organization', cookie)), 'unauthorized')
  })
})
