/** The settings that a machine needs before Chrome has its sandbox. Failing roles and `troupe doctor` show them. */
export const SANDBOX_REMEDY =
  "Allow unprivileged user namespaces: on Ubuntu 23.10 and later, sysctl kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for this browser; on others, sysctl user.max_user_namespaces above 0; in a container, a seccomp profile that permits clone and unshare. Else set browser.sandbox: auto or false in troupe.yaml.";
