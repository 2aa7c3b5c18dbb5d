/** A left join, because an organization without a policy has no requirements. */
export const JOIN_POLICY = 'left join security_policies p on p.org_id = o.id'
