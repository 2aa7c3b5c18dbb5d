-- Whether builds of an organization may add npm packages beyond the curated ones.
alter table security_policies add column any_packages boolean not null default false;
