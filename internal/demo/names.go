package demo

import "strings"

// nameGroup holds the names of people who share a language or a custom. Names in original are pairs
// "script=latin": a few people write themselves so, and their address is made from the Latin form.
type nameGroup struct {
	given, family                 []string
	originalGiven, originalFamily []string
}

func words(text string) []string { return strings.Fields(text) }

// nameGroups are in use by countries. An underscore stands for a space within one name.
var nameGroups = map[string]nameGroup{
	"hungarian": {
		given: words(`Ágnes Ádám András Anna Attila Balázs Barnabás Beáta Bence Boglárka Csaba Csilla Dániel Dávid Dóra Dorka Emese Enikő
			Erzsébet Eszter Ferenc Fruzsina Gábor Gergő György Hanna István János József Judit Kata Katalin Kinga Kristóf László Lilla
			Luca Máté Márton Mihály Nóra Orsolya Péter Petra Réka Sándor Szabolcs Tamás Viktória Zoltán Zsófia Zsolt`),
		family: words(`Nagy Kovács Tóth Szabó Horváth Varga Kiss Molnár Németh Farkas Balogh Papp Lakatos Takács Juhász Mészáros Oláh
			Simon Rácz Fekete Szilágyi Török Fehér Balázs Gál Kis Szűcs Kocsis Orsós Pintér Fodor Szalai Sipos Magyar Lukács Gulyás
			Biró Király László Katona Jakab Bogdán Balog Boros Fazekas Kelemen Váradi Antal Somogyi Győri Bodnár Vörös`),
	},
	"indian": {
		given: words(`Aarav Aditi Aditya Akash Amit Ananya Anil Anjali Arjun Bhavya Deepak Deepika Divya Gaurav Gayatri Harsha Isha
			Karan Kavya Kiran Lakshmi Manish Meera Mohit Neha Nikhil Nisha Pooja Pranav Priya Rahul Rajesh Riya Rohan Sanjana Shreya
			Siddharth Sneha Sunita Suresh Tanvi Varun Vijay Vikram`),
		family: words(`Sharma Verma Gupta Singh Kumar Patel Reddy Nair Iyer Menon Rao Das Banerjee Mukherjee Chatterjee Ghosh Joshi Kulkarni
			Deshpande Patil Shah Mehta Desai Chopra Kapoor Malhotra Agarwal Mishra Pandey Tiwari Yadav Chauhan Pillai Krishnan Naidu
			Perera Fernando Silva Thapa Gurung Adhikari Bhattarai`),
	},
	"chinese": {
		given: words(`Wei Fang Na Xiuying Min Jing Li Qiang Lei Jun Yang Yong Yan Jie Juan Tao Ming Chao Xia Ping Gang Haoran Zihan Yuxuan
			Yichen Ziyi Xinyi Jiayi Yutong Mingze Junjie Siyuan Ruoxi Tianyu Mengyao Shiyu Zixuan Bowen`),
		family: words(`Wang Li Zhang Liu Chen Yang Zhao Huang Zhou Wu Xu Sun Hu Zhu Gao Lin He Guo Ma Luo Liang Song Zheng Xie Han Tang
			Feng Yu Dong Xiao Cheng Cao Yuan Deng Fu Shen Zeng Peng Lü Jiang`),
		originalGiven:  words(`伟=Wei 芳=Fang 娜=Na 敏=Min 静=Jing 强=Qiang 磊=Lei 洋=Yang 浩然=Haoran 子涵=Zihan 雨萱=Yuxuan 佳怡=Jiayi 思远=Siyuan`),
		originalFamily: words(`王=Wang 李=Li 张=Zhang 刘=Liu 陈=Chen 杨=Yang 赵=Zhao 黄=Huang 周=Zhou 吴=Wu 徐=Xu 孙=Sun 马=Ma`),
	},
	"nigerian": {
		given: words(`Abiodun Adaeze Adebayo Adeola Amaka Amina Ayodele Babatunde Blessing Chiamaka Chidi Chinedu Chinwe Chioma Ebuka Emeka
			Esther Fatima Femi Folake Funmilayo Grace Ibrahim Ifeoma Ikenna Kelechi Kehinde Musa Ngozi Nkechi Obinna Olamide Olumide
			Samuel Segun Taiwo Temitope Tunde Uche Victor Yetunde Zainab`),
		family: words(`Adebayo Adeleke Adeyemi Afolabi Akinola Aliyu Anyanwu Balogun Bello Chukwu Danjuma Eze Ezeudu Ibe Igwe Ike Lawal
			Mohammed Musa Nnamdi Nwachukwu Nwosu Obi Obiora Odukoya Ogunleye Ojo Okafor Okeke Okonkwo Okoro Oladipo Olatunji Onyeka
			Oyelaran Sani Uzoma Yusuf`),
	},
	"pakistani": {
		given: words(`Ahmed Aisha Ali Amna Anum Asad Ayesha Bilal Danish Fahad Farhan Fatima Hamza Hassan Hina Hira Imran Iqra Junaid Kashif
			Komal Maham Mahnoor Mariam Nida Noman Omar Rabia Saad Sana Shahzad Sidra Talha Umair Usman Waqas Zain Zara`),
		family: words(`Ahmad Ali Akhtar Anwar Arshad Ashraf Aslam Baig Butt Chaudhry Dar Farooq Hussain Iqbal Javed Khan Malik Mahmood Mirza
			Mughal Nawaz Qureshi Raza Rehman Saeed Shah Sheikh Siddiqui Tariq Zafar`),
	},
	"bengali": {
		given: words(`Abdul Anika Arif Farhana Fahim Habib Imtiaz Jannatul Kamal Mahmud Mehedi Mim Nazmul Nusrat Rafiq Rakib Rumana Sabbir
			Sadia Sajid Shakib Sharmin Sumaiya Tahmid Tania Tanvir Tasnim Zahid`),
		family: words(`Ahmed Akter Alam Ali Begum Bhuiyan Chowdhury Das Haque Hasan Hossain Islam Karim Khan Khatun Mia Mollah Rahman Roy
			Saha Sarkar Sikder Sultana Talukder Uddin`),
	},
	"turkish": {
		given: words(`Ahmet Ali Ayşe Aylin Barış Berk Burak Büşra Can Cem Ceren Deniz Defne Ebru Ece Elif Emine Emre Esra Fatma Furkan Gizem
			Gökhan Gülşen Hakan Hasan İbrahim İrem Kaan Kerem Melis Merve Mustafa Onur Özge Özlem Selin Serkan Şeyma Tuğba Umut Yağmur
			Yiğit Zeynep`),
		family: words(`Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan
			Şimşek Polat Korkmaz Özçelik Çakır Erdoğan Yavuz Can Acar Güneş Aktaş Kaplan Güler Bulut Keskin Ünal Turan Gül Özer Işık`),
	},
	"persian": {
		given: words(`Ali Amir Anahita Arash Arezoo Armin Azadeh Babak Behnam Dariush Elham Farhad Fatemeh Hamid Hossein Kamran Kaveh Leila
			Mahsa Maryam Mehdi Mina Mohammad Narges Nasrin Navid Neda Niloofar Omid Parisa Pouya Reza Roya Saeed Sara Shirin Siavash
			Soheil Yasaman Zahra`),
		family: words(`Ahmadi Akbari Alavi Amini Asadi Azizi Bagheri Ebrahimi Farahani Ghasemi Ghorbani Hashemi Heidari Hosseini Jafari Karimi
			Kazemi Khalili Mohammadi Moradi Mousavi Najafi Nazari Norouzi Rahimi Rezaei Rostami Sadeghi Salehi Shirazi Soltani Tehrani
			Zamani`),
	},
	"german": {
		given: words(`Alexander Andreas Anja Annika Anton Ben Björn Charlotte Clara David Elias Emilia Emma Felix Finn Florian Franziska
			Friederike Hannah Heike Jakob Jan Jonas Jörg Jürgen Julia Katharina Klara Lena Leon Lina Lukas Marie Matthias Maximilian
			Mia Moritz Niklas Noah Paul Philipp Sebastian Sophie Stefan Tobias Ursula`),
		family: words(`Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf
			Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Lehmann Köhler Maier Walter
			König Huber Kaiser Fuchs Peters Lang Möller Weiß Jung Hahn Vogel Günther Roth Groß Bärwald`),
	},
	"vietnamese": {
		given: words(`An Anh Bảo Bình Chi Dũng Dung Đức Giang Hà Hải Hạnh Hiếu Hoa Hoàng Hùng Hương Huy Khánh Lan Linh Long Mai Minh Nam Nga
			Ngọc Nhung Phương Quân Quang Sơn Thảo Thu Thủy Trang Trung Tuấn Vân Việt Vy Yến`),
		family: words(`Nguyễn Trần Lê Phạm Hoàng Huỳnh Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Trịnh Mai Lương`),
	},
	"kazakh": {
		given: words(`Aigerim Aibek Ainur Aisulu Alibek Aliya Almas Anvar Arman Asel Askar Azamat Bekzat Botagoz Dana Dauren Dilnoza Dinara
			Erlan Gulnara Jasur Kamila Madina Malika Marat Nargiza Nurlan Olzhas Ruslan Sanzhar Saule Serik Sherzod Timur Tolganay
			Ulugbek Zarina Zhanna`),
		family: words(`Abdullayev Abenov Akhmetov Aliyev Amanov Baimukhanov Bekov Dzhumabayev Ergashev Iskakov Ismailov Karimov Kasymov
			Kenzhebekov Khamidov Mamytov Mukhamedov Nazarov Nurmagambetov Omarov Ospanov Rakhimov Sadykov Saidov Seitkali Sultanov
			Suleimenov Tashmatov Toktogulov Usmonov Yusupov Zhaksybekov`),
	},
	"ukrainian": {
		given: words(`Anastasiia Andrii Anna Bohdan Daryna Dmytro Halyna Hanna Ihor Inna Iryna Ivan Kateryna Kyrylo Larysa Liubov Maksym
			Mariia Mykhailo Mykola Nadiia Nataliia Oksana Oleh Oleksandr Olena Olha Pavlo Petro Roman Serhii Sofiia Solomiia Svitlana
			Taras Tetiana Vadym Viktor Volodymyr Yaroslav Yuliia Yurii`),
		family: words(`Shevchenko Kovalenko Bondarenko Tkachenko Kravchenko Oliinyk Shevchuk Koval Polishchuk Bondar Tkachuk Moroz Marchenko
			Lysenko Rudenko Savchenko Petrenko Kravchuk Klymenko Ponomarenko Vasylenko Panchenko Kharchenko Melnyk Hrytsenko Pavlenko
			Zinchenko Havryliuk Romanenko Sydorenko`),
		originalGiven:  words(`Андрій=Andrii Олена=Olena Тарас=Taras Ірина=Iryna Оксана=Oksana Сергій=Serhii Марія=Mariia Юрій=Yurii Дмитро=Dmytro Софія=Sofiia`),
		originalFamily: words(`Шевченко=Shevchenko Коваленко=Kovalenko Бондаренко=Bondarenko Мельник=Melnyk Олійник=Oliinyk Мороз=Moroz Лисенко=Lysenko Петренко=Petrenko`),
	},
	"russian": {
		given: words(`Aleksandr Aleksei Alina Anastasia Andrei Anna Anton Artem Daria Denis Dmitry Ekaterina Elena Evgeny Galina Igor Ilya
			Irina Ivan Kirill Konstantin Ksenia Maksim Maria Mikhail Nadezhda Natalia Nikita Nikolai Oleg Olga Pavel Polina Roman
			Sergei Sofia Svetlana Tatiana Vera Viktor Vladimir Yulia`),
		family: words(`Ivanenko Smirnenko Kuznets Popovich Vasilevich Sokol Mikhailovich Novik Fedorenko Morozevich Volkovich Alekseichik
			Lebedz Semenovich Egorovich Pavlovich Kozlovich Stepanenko Nikolaichik Orlovich Andreichik Makarevich Zakharenko Zaitsevich
			Solovei Borisevich Yakovlevich Grigorenko Romanovich Vorobei Sergeenko`),
		originalGiven:  words(`Александр=Aleksandr Анна=Anna Дмитрий=Dmitry Екатерина=Ekaterina Елена=Elena Игорь=Igor Ольга=Olga Сергей=Sergei Татьяна=Tatiana`),
		originalFamily: words(`Сокол=Sokol Новик=Novik Павлович=Pavlovich Соловей=Solovei Григоренко=Grigorenko Романович=Romanovich Макаревич=Makarevich`),
	},
	"romanian": {
		given: words(`Adrian Alexandra Alexandru Alina Ana Andreea Andrei Bogdan Cătălin Cătălina Cristian Cristina Dan Daniela Diana Elena
			Florin Gabriela George Ioana Ion Ionuț Irina Laura Liviu Loredana Maria Marius Mădălina Mihai Mircea Nicoleta Oana Radu
			Raluca Răzvan Roxana Ruxandra Ștefan Teodora Vlad Victor`),
		family: words(`Popa Popescu Ionescu Radu Stoica Stan Dumitrescu Gheorghe Dumitru Matei Constantin Marin Mihai Rusu Munteanu Ciobanu
			Florea Lazăr Ungureanu Moldovan Ilie Sandu Toma Dinu Nistor Ene Vasile Bălan Crăciun Neagu Manole Șerban Țurcanu Avram`),
	},
	"arabic": {
		given: words(`Abdullah Ahmad Ali Amal Amira Ayman Aya Bassam Dalia Dina Eman Fadi Farah Ghassan Hadi Hala Hanan Hani Hassan Huda
			Hussein Ibrahim Jamal Karim Khaled Laila Lina Mahmoud Majed Mariam Mohammed Mona Mustafa Nadia Noor Omar Rami Rana Rania
			Salma Samir Sara Tarek Wael Yara Yasmin Youssef Zeinab`),
		family: words(`Abdallah Abu-Zaid Al-Ahmad Al-Ali Al-Hassan Al-Khatib Al-Masri Al-Najjar Al-Rashid Al-Sayed Al-Shami Ayoub Aziz Darwish
			El-Sayed Fawzi Ghanem Haddad Hamdan Hassan Hijazi Ibrahim Ismail Jaber Kanaan Khalil Khoury Mansour Masoud Mousa Nasser
			Obeid Odeh Qasim Rahman Saleh Salem Shaheen Suleiman Taha Tawfik Younes Zidan`),
		originalGiven:  words(`أحمد=Ahmad علي=Ali محمد=Mohammed مريم=Mariam ليلى=Laila سارة=Sara عمر=Omar يوسف=Youssef نور=Noor خالد=Khaled`),
		originalFamily: words(`حداد=Haddad خليل=Khalil منصور=Mansour صالح=Saleh سالم=Salem درويش=Darwish حسن=Hassan إبراهيم=Ibrahim`),
	},
	"maghreb": {
		given: words(`Abdelkader Adil Ahmed Aicha Amine Anis Asma Ayoub Bilal Chaima Fatima Hajar Hamza Hicham Houda Ibtissam Ikram Ilyas
			Imane Karim Khadija Lamia Mehdi Mohamed Mounir Nabil Nadia Najwa Omar Othmane Rachid Salma Samira Sofiane Soukaina Walid
			Yacine Yassine Youssef Zineb`),
		family: words(`Alaoui Amrani Belhadj Ben_Ali Ben_Salah Benali Benjelloun Bennani Berrada Bouazizi Bouchareb Bouzid Chaoui Cherif
			El_Fassi El_Idrissi El_Mansouri Fassi Gharbi Haddad Hamdi Jebali Kabbaj Khelifi Lahlou Mansouri Mejri Messaoudi Naciri
			Ouali Rahmani Saidi Slimani Tazi Trabelsi Ziani Zouari`),
	},
	"azeri": {
		given: words(`Anar Aynur Aysel Cavid Elçin Elnur Emin Fərid Günay Gülnar İlqar İlham Kamran Könül Ləman Lalə Leyla Murad Nərgiz Nigar
			Orxan Pərvin Rəşad Rövşən Sevinc Şəhla Tural Türkan Vüqar Vüsal Zaur Zəhra`),
		family: words(`Abbasov Abdullazadə Babayev Bağırov Cəfərov Əhmədov Əliyev Əsgərov Fərzəliyev Hacıyev Həsənov Hüseynov İbrahimov İsmayılov
			Kazımov Məmmədov Mustafayev Nəbiyev Quliyev Qasımov Rüstəmov Rzayev Səfərov Süleymanov Vəliyev Zeynalov`),
	},
}

// spaced returns a name of the tables as it is written.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }
