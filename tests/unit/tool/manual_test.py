# SPDX-License-Identifier: Apache-2.0
"""`steelyard man` and `steelyard completion`: what they say is what the command line takes."""
import re
import shutil
import subprocess

from command import TOOL, Case, main

COMMANDS = ("run", "compare", "schedules", "info", "check-schedule", "cc")


class Manual(Case):
    def options_of(self, command):
        said = self.steelyard(command, "--help").stdout
        return re.findall(r"^  (?:-\w,)?(--[\w-]+)", said, re.M)

    def completed(self, *words):
        """What bash offers for the last word."""
        script = f"""
          PATH={TOOL.parent}:$PATH
          source <(steelyard completion bash)
          compopt() {{ :; }}
          COMP_WORDS=({' '.join(f"'{word}'" for word in words)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
          _steelyard; printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = self.run_plain("bash", "-c", script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_the_page_has_every_command_and_option(self):
        page = self.steelyard("man")
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        for command in COMMANDS:
            self.assertIn(".SS steelyard {} ".format(command.replace("-", "\\-")), page.stdout)
            options = self.options_of(command)
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(option.replace("-", "\\-"), page.stdout)

    def test_the_page_is_without_fault(self):
        if shutil.which("groff") is None:
            self.skipTest("there is no groff here")
        page = self.steelyard("man").stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rCHECKSTYLE=3"], input=page, capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_offers_commands_options_and_schedules(self):
        self.assertLessEqual(set(COMMANDS), set(self.completed("steelyard", "")))
        self.assertEqual(self.completed("steelyard", "comp"), ["compare", "completion"])
        for command in COMMANDS:
            self.assertLessEqual(set(self.options_of(command)), set(self.completed("steelyard", command, "--")))
        schedules = self.steelyard("schedules", "--names").stdout.split()
        self.assertEqual(self.completed("steelyard", "run", "--schedule", ""), schedules)
        self.assertEqual(self.completed("steelyard", "compare", "--rounds", ""), [])

    def test_bash_offers_files_and_programs(self):
        (self.folder / "loops file").write_text("")
        (self.folder / "runs").mkdir()
        self.assertEqual(self.completed("steelyard", "run", "--loops", "loo"), ["loops", "file"])
        self.assertEqual(self.completed("steelyard", "compare", "--keep", "ru"), ["runs"])
        self.assertIn("bash", self.completed("steelyard", "run", "--", "bas"))
        self.assertEqual(self.completed("steelyard", "run", "--", "./app", "ru"), ["runs"])

    def test_other_shells(self):
        self.assertTrue(self.steelyard("completion", "zsh").stdout.startswith("#compdef steelyard\n"))
        fish = self.steelyard("completion", "fish").stdout
        for command in COMMANDS:
            self.assertIn(f" -a {command} ", fish)
            for option in self.options_of(command):
                self.assertRegex(fish, rf"subcommand_from {command}'.* -l {option[2:]}\b")
        self.refused(2, "no completion for 'csh'; there is one for bash, zsh and fish", "completion", "csh")


if __name__ == "__main__":
    main()
